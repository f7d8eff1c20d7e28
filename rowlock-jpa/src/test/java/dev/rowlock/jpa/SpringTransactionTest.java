package dev.rowlock.jpa;

import static dev.rowlock.jpa.JpaDatabase.isLocked;
import static dev.rowlock.jpa.JpaDatabase.sql;
import static dev.rowlock.jpa.JpaDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.Lock;
import dev.rowlock.TooManyRowsException;
import dev.rowlock.jpa.Entities.Account;
import jakarta.persistence.EntityManager;
import jakarta.persistence.TransactionRequiredException;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionTemplate;

/** One JpaLocks over Spring's shared entity manager, in the transactions that Spring opens. */
class SpringTransactionTest extends JpaTest {
    private final EntityManager shared = SharedEntityManagerCreator.createSharedEntityManager(JpaDatabase.factory());
    private final JpaLocks locks = JpaLocks.over(shared);
    private final TransactionTemplate transactions =
            new TransactionTemplate(new JpaTransactionManager(JpaDatabase.factory()));

    @BeforeEach
    void accounts() {
        sql("INSERT INTO Account VALUES (100, 1, 'open'), (100, 2, 'open')");
    }

    @Test
    void lockIsHeldUntilTheTransactionEnds() {
        transactions.executeWithoutResult(status -> {
            locks.withLock(Account.class, 1L, (em, account) -> account.withdraw(80));
            assertThat(isLocked("Account", "id = 1")).isTrue();
        });
        assertThat(isLocked("Account", "id = 1")).isFalse();
        assertThat(value("SELECT balance FROM Account WHERE id = 1")).isEqualTo("20");
    }

    @Test
    void withoutATransactionItIsRefused() {
        assertThatThrownBy(() -> locks.lock(Account.class, 1L)).isInstanceOf(TransactionRequiredException.class);
    }

    @Test
    void tooManyRowsRollBackEvenIfTheErrorIsSwallowed() {
        assertThatThrownBy(() -> transactions.executeWithoutResult(status -> {
                    shared.find(Account.class, 1L);
                    assertThatThrownBy(() -> locks.lockWhere(
                                    Account.class,
                                    "SELECT a FROM Account a",
                                    Map.of(),
                                    Lock.forUpdate().limit(1)))
                            .isInstanceOf(TooManyRowsException.class);
                }))
                .isInstanceOf(UnexpectedRollbackException.class);
    }
}
