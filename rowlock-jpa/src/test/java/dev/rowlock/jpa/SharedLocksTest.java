package dev.rowlock.jpa;

import static dev.rowlock.jpa.JpaDatabase.run;
import static dev.rowlock.jpa.JpaDatabase.sql;
import static dev.rowlock.jpa.JpaDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.Lock;
import dev.rowlock.jpa.Entities.Account;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two who share a row and both want to write it wait for each other, so the second thought is refused. */
class SharedLocksTest extends JpaTest {
    @BeforeEach
    void accounts() {
        sql("INSERT INTO Account VALUES (100, 1, 'open')");
    }

    @Test
    void flushOfWhatIsSharedIsRefusedBeforeItsSqlIsSent() {
        run(em -> {
            JpaLocks.over(em).lock(Account.class, 1L, Lock.forShare()).balance = 20;
            JpaDatabase.SENT.clear();
            assertThatThrownBy(em::flush)
                    .isInstanceOf(LockUpgradeException.class)
                    .hasMessageContaining("the update of")
                    .hasMessageContaining("holds FOR SHARE");
            assertThat(JpaDatabase.SENT).isEmpty();
            em.getTransaction().rollback();
        });
        assertThat(value("SELECT balance FROM Account")).isEqualTo("100");
    }

    @Test
    void removalOfWhatIsSharedIsRefused() {
        run(em -> {
            em.remove(JpaLocks.over(em).lock(Account.class, 1L, Lock.forKeyShare()));
            assertThatThrownBy(em::flush)
                    .isInstanceOf(LockUpgradeException.class)
                    .hasMessageContaining("FOR KEY SHARE");
            em.getTransaction().rollback();
        });
    }

    @Test
    void strongerLockOnWhatIsSharedIsRefused() {
        run(em -> {
            JpaLocks locks = JpaLocks.over(em);
            locks.lock(Account.class, 1L, Lock.forShare());
            assertThatThrownBy(() -> locks.lock(Account.class, 1L)).isInstanceOf(LockUpgradeException.class);
            locks.lock(Account.class, 1L, Lock.forShare());
        });
    }

    /** Holders of FOR KEY SHARE are not in the way of an update that leaves the key alone. */
    @Test
    void updateUnderAKeyShareLockIsFine() {
        run(em -> JpaLocks.over(em).lock(Account.class, 1L, Lock.forKeyShare()).balance = 20);
        assertThat(value("SELECT balance FROM Account")).isEqualTo("20");
    }

    @Test
    void strongerLockFirstIsFine() {
        run(em -> {
            JpaLocks.over(em).lock(Account.class, 1L);
            JpaLocks.over(em).lock(Account.class, 1L, Lock.forShare()).balance = 20;
        });
        assertThat(value("SELECT balance FROM Account")).isEqualTo("20");
    }

    @Test
    void nextTransactionKnowsNothingOfIt() {
        run(em -> {
            JpaLocks.over(em).lock(Account.class, 1L, Lock.forShare());
            em.getTransaction().commit();
            em.getTransaction().begin();
            em.find(Account.class, 1L).balance = 20;
        });
        assertThat(value("SELECT balance FROM Account")).isEqualTo("20");
    }

    @Test
    void whoeverSaysSoMayWriteAllTheSame() {
        run(em -> JpaLocks.over(em).allowingUpgrades().lock(Account.class, 1L, Lock.forShare()).balance = 20);
        assertThat(value("SELECT balance FROM Account")).isEqualTo("20");
    }
}
