package dev.rowlock.jpa;

import static dev.rowlock.jpa.JpaDatabase.sql;
import static dev.rowlock.jpa.JpaDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.Isolation;
import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import dev.rowlock.jpa.Entities.Account;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Entities in a transaction that Rowlock has opened. */
class JpaUnitsTest extends JpaTest {
    private static final Table ACCOUNTS = Table.of("account", "id");

    private final Rowlock rowlock = Rowlock.over(JpaDatabase.dataSource());
    private final JpaUnits units = JpaUnits.over(rowlock, JpaDatabase.factory());

    @BeforeEach
    void accounts() {
        sql("INSERT INTO Account VALUES (100, 1, 'open'), (100, 2, 'open')");
    }

    @Test
    void rowsAndEntitiesAreOfOneTransaction() {
        int left = units.call((tx, em) -> {
            tx.update(ACCOUNTS, 1).add("balance", -50).apply().orThrow();
            return JpaLocks.over(em).withLock(Account.class, 1L, (m, account) -> account.withdraw(20));
        });
        assertThat(left).isEqualTo(30);
        assertThat(value("SELECT balance FROM Account WHERE id = 1")).isEqualTo("30");
    }

    @Test
    void failureRollsBackAll() {
        assertThatThrownBy(() -> units.call((tx, em) -> {
                    em.find(Account.class, 1L).balance = 1;
                    em.flush();
                    throw new IllegalArgumentException("no");
                }))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(value("SELECT balance FROM Account WHERE id = 1")).isEqualTo("100");
    }

    /** The whole function again, with an entity manager that knows nothing of the first attempt. */
    @Test
    void conflictIsRetried() {
        AtomicInteger attempts = new AtomicInteger();
        JpaUnits strict = JpaUnits.over(rowlock.withIsolation(Isolation.REPEATABLE_READ), JpaDatabase.factory());
        int left = strict.call((tx, em) -> {
            em.find(Account.class, 2L);
            if (attempts.incrementAndGet() == 1) {
                sql("UPDATE Account SET balance = 60 WHERE id = 2");
            }
            return JpaLocks.over(em).withLock(Account.class, 2L, (m, account) -> account.withdraw(50));
        });
        assertThat(attempts).hasValue(2);
        assertThat(left).isEqualTo(10);
    }

    @Test
    void conflictAtTheFlushIsRetriedToo() {
        AtomicInteger attempts = new AtomicInteger();
        JpaUnits strict = JpaUnits.over(rowlock.withIsolation(Isolation.REPEATABLE_READ), JpaDatabase.factory());
        strict.call((tx, em) -> {
            Account account = em.find(Account.class, 2L);
            if (attempts.incrementAndGet() == 1) {
                sql("UPDATE Account SET balance = 60 WHERE id = 2");
            }
            return account.withdraw(50);
        });
        assertThat(attempts).hasValue(2);
        assertThat(value("SELECT balance FROM Account WHERE id = 2")).isEqualTo("10");
    }

    @Test
    void joinedCallThatFailsDoomsTheUnit() {
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    assertThatThrownBy(() -> units.call((inner, em) -> {
                                em.find(Account.class, 1L).balance = 1;
                                em.flush();
                                throw new IllegalArgumentException("no");
                            }))
                            .isInstanceOf(IllegalArgumentException.class);
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("rolled back");
        assertThat(value("SELECT balance FROM Account WHERE id = 1")).isEqualTo("100");
    }
}
