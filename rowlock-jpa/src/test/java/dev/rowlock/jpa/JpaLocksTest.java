package dev.rowlock.jpa;

import static dev.rowlock.jpa.JpaDatabase.call;
import static dev.rowlock.jpa.JpaDatabase.isLocked;
import static dev.rowlock.jpa.JpaDatabase.run;
import static dev.rowlock.jpa.JpaDatabase.sql;
import static dev.rowlock.jpa.JpaDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.rowlock.Key;
import dev.rowlock.Lock;
import dev.rowlock.LockTimeoutException;
import dev.rowlock.MissingRowException;
import dev.rowlock.TooManyRowsException;
import dev.rowlock.TransactionConflictException;
import dev.rowlock.jpa.Entities.Account;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.TransactionRequiredException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.hibernate.Session;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a lock promises, with an entity that is one row. */
class JpaLocksTest extends JpaTest {
    @BeforeEach
    void accounts() {
        sql("INSERT INTO Account (id, balance, status) SELECT n, 100, 'open' FROM generate_series(1, 5) AS n");
    }

    private static String lockTimeout(EntityManager em) {
        return (String) em.createNativeQuery("SHOW lock_timeout").getSingleResult();
    }

    @Test
    void secondChargeWaitsThenSeesTheFirst() throws Exception {
        CompletableFuture<Integer> second;
        try (Other first = new Other("UPDATE Account SET balance = 20 WHERE id = 1")) {
            second = start(() -> call(em -> {
                em.find(Account.class, 1L); // known before, and stale by the time of the lock
                return JpaLocks.over(em).withLock(Account.class, 1L, (m, account) -> account.balance);
            }));
            JpaDatabase.awaitBlocked(second);
            first.commit();
        }
        assertThat(second.get()).isEqualTo(20);
    }

    @Test
    void changesAreFlushedAsEver() {
        run(em -> {
            JpaLocks.over(em).withLock(Account.class, 1L, (m, account) -> account.withdraw(80));
        });
        assertThat(value("SELECT balance FROM Account WHERE id = 1")).isEqualTo("20");
    }

    @ParameterizedTest
    @EnumSource(Lock.Strength.class)
    void strengthIsTheOneThatWasAskedFor(Lock.Strength strength) {
        sql("CREATE EXTENSION IF NOT EXISTS pgrowlocks");
        run(em -> {
            JpaLocks.over(em).lock(Account.class, 1L, lockOf(strength));
            assertThat(value("SELECT modes[1] FROM pgrowlocks('account')")).isEqualTo(nameInPgRowLocks(strength));
        });
        run(em -> {
            JpaLocks.over(em)
                    .lockWhere(Account.class, "SELECT a FROM Account a WHERE a.id = 1", Map.of(), lockOf(strength));
            assertThat(value("SELECT modes[1] FROM pgrowlocks('account')")).isEqualTo(nameInPgRowLocks(strength));
        });
    }

    private static Lock lockOf(Lock.Strength strength) {
        return switch (strength) {
            case UPDATE -> Lock.forUpdate();
            case NO_KEY_UPDATE -> Lock.forNoKeyUpdate();
            case SHARE -> Lock.forShare();
            case KEY_SHARE -> Lock.forKeyShare();
        };
    }

    private static String nameInPgRowLocks(Lock.Strength strength) {
        return switch (strength) {
            case UPDATE -> "For Update";
            case NO_KEY_UPDATE -> "For No Key Update";
            case SHARE -> "For Share";
            case KEY_SHARE -> "For Key Share";
        };
    }

    @Test
    void missingRowIsNamed() {
        MissingRowException missing = catchThrowableOfType(
                MissingRowException.class, () -> call(em -> JpaLocks.over(em).lock(Account.class, 77L)));

        assertThat(missing).hasMessage("there is no row 77 in Account");
        assertThat(missing.key()).isEqualTo(Key.of(77));
        assertThat(missing.table().name()).isEqualTo("Account");
    }

    @Test
    void managedEntityWhoseRowIsGoneIsMissing() {
        run(em -> {
            em.find(Account.class, 1L);
            sql("DELETE FROM Account WHERE id = 1");
            assertThatThrownBy(() -> JpaLocks.over(em).lock(Account.class, 1L)).isInstanceOf(MissingRowException.class);
        });
    }

    @Test
    void withoutATransactionNothingIsSent() {
        EntityManager em = JpaDatabase.factory().createEntityManager();
        JpaDatabase.SENT.clear();
        assertThatThrownBy(() -> JpaLocks.over(em).lock(Account.class, 1L))
                .isInstanceOf(TransactionRequiredException.class)
                .hasMessageContaining("none is open");
        assertThat(em.unwrap(Session.class).isConnected()).isTrue();
        assertThat(JpaDatabase.SENT).isEmpty();
        em.close();
    }

    @Test
    void takenRowIsAnErrorAtOnceWithNoWait() {
        try (Other other = new Other("SELECT * FROM Account WHERE id = 1 FOR UPDATE")) {
            LockTimeoutException taken = catchThrowableOfType(
                    LockTimeoutException.class,
                    () -> call(em -> JpaLocks.over(em)
                            .lock(Account.class, 1L, Lock.forUpdate().noWait())));
            assertThat(taken.noWait()).isTrue();
            assertThat(taken.sqlState()).hasValue("55P03");
        }
    }

    @Test
    void waitEndsAtTheLimitOfTheRequest() {
        try (Other other = new Other("SELECT * FROM Account WHERE id = 1 FOR UPDATE")) {
            LockTimeoutException late = catchThrowableOfType(
                    LockTimeoutException.class,
                    () -> call(em -> JpaLocks.over(em)
                            .lock(Account.class, 1L, Lock.forUpdate().waitAtMost(Duration.ofMillis(30)))));
            assertThat(late.noWait()).isFalse();
        }
    }

    @Test
    void waitOfAQueryEndsAtItsLimit() {
        try (Other other = new Other("SELECT * FROM Account WHERE id = 1 FOR UPDATE")) {
            assertThatThrownBy(() -> call(em -> JpaLocks.over(em)
                            .lockWhere(
                                    Account.class,
                                    "SELECT a FROM Account a",
                                    Map.of(),
                                    Lock.forUpdate().waitAtMost(Duration.ofMillis(30)))))
                    .isInstanceOf(LockTimeoutException.class);
        }
    }

    @Test
    void limitOfTheSessionIsInForceAgainAfterwards() {
        run(em -> {
            em.createNativeQuery("SET LOCAL lock_timeout = '7s'").executeUpdate();
            Lock lock = Lock.forUpdate().waitAtMost(Duration.ofMillis(30));
            JpaLocks.over(em).lock(Account.class, 1L, lock);
            assertThat(lockTimeout(em)).isEqualTo("7s");
            JpaLocks.over(em).lockWhere(Account.class, "SELECT a FROM Account a", Map.of(), lock);
            assertThat(lockTimeout(em)).isEqualTo("7s");
        });
        run(em -> {
            assertThat(lockTimeout(em)).isEqualTo("0");
        });
    }

    @ParameterizedTest
    @CsvSource({"0, 2s", "7s, 2s", "2s, 2s", "1500ms, 1500ms", "1h, 2s"})
    void waitIsLimitedTo2SecondsUnlessTheSessionWaitsShorter(String ofSession, String inForce) {
        run(em -> {
            em.createNativeQuery("SET LOCAL lock_timeout = '" + ofSession + "'").executeUpdate();
            em.createNativeQuery(WaitLimit.of(Lock.forUpdate(), Duration.ofSeconds(2))
                            .begin())
                    .getSingleResult();
            assertThat(lockTimeout(em)).isEqualTo(inForce);
            em.createNativeQuery(WaitLimit.end()).getSingleResult();
            assertThat(lockTimeout(em)).isEqualTo(ofSession);
        });
    }

    @Test
    void manyAreHandedOutInTheOrderOfTheIds() {
        run(em -> {
            Map<Object, Account> locked =
                    JpaLocks.over(em).lockAll(Account.class, List.of(4L, 2L, 4L, 3L), Lock.forUpdate());
            assertThat(locked.keySet()).containsExactly(4L, 2L, 3L);
            assertThat(locked.values()).extracting(account -> account.id).containsExactly(4L, 2L, 3L);
            assertThat(isLocked("Account", "id IN (2, 3, 4)")).isTrue();
            assertThat(isLocked("Account", "id IN (1, 5)")).isFalse();
        });
    }

    @Test
    void oneMissingAmongManyIsNamed() {
        assertThatThrownBy(() -> call(em ->
                        JpaLocks.over(em).withLocks(Account.class, List.of(1L, 88L, 2L, 99L), (m, all) -> all.size())))
                .isInstanceOfSatisfying(
                        MissingRowException.class,
                        missing -> assertThat(missing.key()).isEqualTo(Key.of(88)));
    }

    @Test
    void moreThanTheLimitAreRefusedBeforeAnythingIsSent() {
        run(em -> {
            List<Long> ids = LongStream.rangeClosed(1, 101).boxed().toList();
            assertThatThrownBy(() -> JpaLocks.over(em).lockAll(Account.class, ids, Lock.forUpdate()))
                    .isInstanceOf(TooManyRowsException.class)
                    .hasMessageContaining("the limit is 100");
            assertThatThrownBy(() -> JpaLocks.over(em)
                            .lockAll(
                                    Account.class,
                                    List.of(1L, 2L),
                                    Lock.forUpdate().limit(1)))
                    .isInstanceOf(TooManyRowsException.class);
            assertThat(isLocked("Account", "true")).isFalse();
        });
    }

    @Test
    void takenOnesAreLeftOutWithSkipLocked() {
        try (Other other = new Other("SELECT * FROM Account WHERE id IN (1, 3) FOR UPDATE")) {
            run(em -> {
                assertThat(JpaLocks.over(em)
                                .lockAll(
                                        Account.class,
                                        List.of(3L, 2L, 1L, 4L),
                                        Lock.forUpdate().skipLocked())
                                .keySet())
                        .containsExactly(2L, 4L);
                assertThatThrownBy(() -> JpaLocks.over(em)
                                .lock(Account.class, 1L, Lock.forUpdate().skipLocked()))
                        .isInstanceOf(IllegalArgumentException.class);
            });
        }
    }

    @Test
    void queryHandsOutDifferentRowsToDifferentWorkers() {
        try (Other other = new Other("SELECT * FROM Account WHERE id IN (1, 3) FOR UPDATE")) {
            run(em -> {
                List<Account> claimed = JpaLocks.over(em)
                        .lockWhere(
                                Account.class,
                                "SELECT a FROM Account a WHERE a.status = :status",
                                Map.of("status", "open"),
                                Lock.forUpdate().skipLocked().first(2));
                assertThat(claimed).extracting(account -> account.id).containsExactly(2L, 4L);
            });
        }
    }

    @Test
    void queryLeavesOutWhatNoLongerMatchesOnceItIsLocked() throws Exception {
        CompletableFuture<List<Long>> query;
        try (Other other = new Other("UPDATE Account SET status = 'closed' WHERE id = 2")) {
            query = start(() -> call(em -> JpaLocks.over(em)
                    .withLocksWhere(
                            Account.class,
                            "SELECT a FROM Account a WHERE a.status = 'open'",
                            Map.of(),
                            Lock.forNoKeyUpdate(),
                            (m, all) -> all.stream().map(account -> account.id).toList())));
            JpaDatabase.awaitBlocked(query);
            other.commit();
        }
        assertThat(query.get()).containsExactly(1L, 3L, 4L, 5L);
    }

    @Test
    void queryRefreshesWhatWasManaged() {
        run(em -> {
            Account account = em.find(Account.class, 1L);
            sql("UPDATE Account SET balance = 5 WHERE id = 1");
            List<Account> locked = JpaLocks.over(em)
                    .lockWhere(Account.class, "SELECT a FROM Account a WHERE a.id < 3", Map.of(), Lock.forUpdate());
            assertThat(locked.get(0)).isSameAs(account);
            assertThat(account.balance).isEqualTo(5);
        });
    }

    @Test
    void queryWithMoreRowsThanTheLimitCanOnlyRollBack() {
        run(em -> {
            assertThatThrownBy(() -> JpaLocks.over(em)
                            .lockWhere(
                                    Account.class,
                                    "SELECT a FROM Account a",
                                    Map.of(),
                                    Lock.forUpdate().limit(4)))
                    .isInstanceOf(TooManyRowsException.class)
                    .hasMessageContaining("more than 4 rows");
            assertThat(em.getTransaction().getRollbackOnly()).isTrue();
            em.getTransaction().rollback();
        });
    }

    @Test
    void snapshotOlderThanTheRowIsAConflict() {
        for (String level : List.of("REPEATABLE READ", "SERIALIZABLE")) {
            run(em -> {
                em.createNativeQuery("SET TRANSACTION ISOLATION LEVEL " + level).executeUpdate();
                em.find(Account.class, 1L);
                sql("UPDATE Account SET balance = balance - 1 WHERE id = 1");
                assertThatThrownBy(() -> JpaLocks.over(em).lock(Account.class, 1L))
                        .isInstanceOfSatisfying(
                                TransactionConflictException.class,
                                conflict -> assertThat(conflict.sqlState()).hasValue("40001"));
                em.getTransaction().rollback();
            });
        }
    }

    @Test
    void autoCommitUnderAnOpenTransactionIsNoticed() {
        try (EntityManagerFactory wrong = JpaDatabase.factory(
                JpaDatabase.dataSource(), Map.of("hibernate.connection.provider_disables_autocommit", "true"))) {
            EntityManager em = wrong.createEntityManager();
            em.getTransaction().begin();
            assertThatThrownBy(() -> JpaLocks.over(em).lock(Account.class, 1L))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("auto-commit");
        }
    }
}
