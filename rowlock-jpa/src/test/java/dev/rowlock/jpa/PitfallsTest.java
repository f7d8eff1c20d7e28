package dev.rowlock.jpa;

import static dev.rowlock.jpa.JpaDatabase.call;
import static dev.rowlock.jpa.JpaDatabase.isLocked;
import static dev.rowlock.jpa.JpaDatabase.run;
import static dev.rowlock.jpa.JpaDatabase.sql;
import static jakarta.persistence.LockModeType.PESSIMISTIC_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.jpa.Entities.Account;
import dev.rowlock.jpa.Entities.CardPayment;
import dev.rowlock.jpa.Entities.Customer;
import dev.rowlock.jpa.Entities.Payment;
import dev.rowlock.jpa.Entities.Shipment;
import dev.rowlock.jpa.Entities.Vehicle;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockTimeoutException;
import jakarta.persistence.PersistenceException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.hibernate.Version;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What Hibernate does by itself, in the version that these tests run on: each test is a line of the table in docs/jpa.md, and its
 * counterpart with JpaLocks is in {@link MappingsTest}, {@link JpaLocksTest} or {@link LockingQueryTest}.
 */
class PitfallsTest extends JpaTest {
    private static final boolean IS_6 = Version.getVersionString().startsWith("6.");

    @BeforeEach
    void rows() {
        sql(
                "INSERT INTO Account VALUES (100, 1, 'open'), (100, 2, 'open')",
                "INSERT INTO Payment VALUES (1, 'new')",
                "INSERT INTO CardPayment VALUES (5, 1)",
                "INSERT INTO Customer VALUES (1, 'Ada')",
                "INSERT INTO customer_points (id, points) VALUES (1, 3)",
                "INSERT INTO Shipment (id, state, payer_id) VALUES (1, 'packed', 1)",
                "INSERT INTO Car (id, mileage) VALUES (1, 10)");
    }

    /** Another transaction has changed the row and commits while this one waits for it, if it does. */
    private static <T> T whileOtherCommits(String change, Function<EntityManager, T> locking) {
        CompletableFuture<T> waiting;
        try (Other other = new Other(change)) {
            waiting = start(() -> call(locking));
            JpaDatabase.awaitBlockedOrDone(waiting);
            other.commit();
        }
        return waiting.join();
    }

    @Test
    void lockOfAManagedEntityLeavesItAsItWas() {
        int balance = whileOtherCommits("UPDATE Account SET balance = 20 WHERE id = 1", em -> {
            Account account = em.find(Account.class, 1L);
            em.lock(account, PESSIMISTIC_WRITE);
            return account.balance;
        });
        assertThat(balance).isEqualTo(100);
    }

    @Test
    void findWithALockOfAManagedEntityLeavesItAsItWas() {
        int balance = whileOtherCommits("UPDATE Account SET balance = 20 WHERE id = 1", em -> {
            em.find(Account.class, 1L);
            return em.find(Account.class, 1L, PESSIMISTIC_WRITE).balance;
        });
        assertThat(balance).isEqualTo(100);
    }

    @Test
    void lockingQueryLeavesAManagedEntityAsItWas() {
        int balance = whileOtherCommits("UPDATE Account SET balance = 20 WHERE id = 1", em -> {
            em.find(Account.class, 1L);
            return em.createQuery("SELECT a FROM Account a WHERE a.id = 1", Account.class)
                    .setLockMode(PESSIMISTIC_WRITE)
                    .getSingleResult()
                    .balance;
        });
        assertThat(balance).isEqualTo(100);
    }

    /** The SELECT reads, a second one locks; what was committed between the two is not seen. */
    @Test
    void joinedHierarchyIsReadBeforeItIsLocked() {
        String state = whileOtherCommits(
                "UPDATE Payment SET state = 'paid' WHERE id = 1",
                em -> em.find(Payment.class, 1L, PESSIMISTIC_WRITE).state);
        assertThat(state).isEqualTo(IS_6 ? "new" : "paid");
    }

    @Test
    void joinedHierarchyIsLockedInItsRootAlone() {
        run(em -> {
            em.find(Payment.class, 1L, PESSIMISTIC_WRITE);
            assertThat(isLocked("Payment", "id = 1")).isTrue();
            assertThat(isLocked("CardPayment", "id = 1")).isEqualTo(!IS_6);
        });
    }

    @Test
    void lockOfAManagedJoinedEntityLocksTheRootAlone() {
        run(em -> {
            em.lock(em.find(CardPayment.class, 1L), PESSIMISTIC_WRITE);
            assertThat(isLocked("Payment", "id = 1")).isTrue();
            assertThat(isLocked("CardPayment", "id = 1")).isFalse();
        });
    }

    @Test
    void secondaryTableIsReadBeforeTheLock() {
        int points = whileOtherCommits(
                "UPDATE customer_points SET points = 30 WHERE id = 1",
                em -> em.find(Customer.class, 1L, PESSIMISTIC_WRITE).points);
        assertThat(points).isEqualTo(IS_6 ? 3 : 30);
    }

    @Test
    void secondaryTableIsNotLocked() {
        run(em -> {
            em.find(Customer.class, 1L, PESSIMISTIC_WRITE);
            assertThat(isLocked("Customer", "id = 1")).isTrue();
            assertThat(isLocked("customer_points", "id = 1")).isEqualTo(!IS_6);
        });
    }

    @Test
    void entityWithAnEagerOuterJoinIsReadBeforeItIsLocked() {
        String state = whileOtherCommits(
                "UPDATE Shipment SET state = 'sent' WHERE id = 1",
                em -> em.find(Shipment.class, 1L, PESSIMISTIC_WRITE).state);
        assertThat(state).isEqualTo(IS_6 ? "packed" : "sent");
    }

    @Test
    void eagerOuterJoinLocksTheOtherEntityToo() {
        run(em -> {
            em.find(Shipment.class, 1L, PESSIMISTIC_WRITE);
            assertThat(isLocked("Account", "id = 1")).isEqualTo(IS_6);
        });
    }

    @Test
    void distinctQueryReadsBeforeItLocks() {
        int balance = whileOtherCommits(
                "UPDATE Account SET balance = 20 WHERE id = 1",
                em -> em.createQuery("SELECT DISTINCT a FROM Account a WHERE a.id = 1", Account.class)
                        .setLockMode(PESSIMISTIC_WRITE)
                        .getSingleResult()
                        .balance);
        assertThat(balance).isEqualTo(IS_6 ? 100 : 20);
    }

    @Test
    void distinctQueryGivesRowsThatNoLongerMatch() {
        String status = whileOtherCommits(
                "UPDATE Account SET status = 'closed' WHERE id = 1",
                em -> em
                        .createQuery(
                                "SELECT DISTINCT a FROM Account a WHERE a.status = 'open' AND a.id = 1", Account.class)
                        .setLockMode(PESSIMISTIC_WRITE)
                        .getResultList()
                        .stream()
                        .map(account -> account.status)
                        .findFirst()
                        .orElse("none"));
        assertThat(status).isEqualTo(IS_6 ? "open" : "closed");
    }

    @Test
    void unionLocksNothing() {
        String union = "SELECT a FROM Account a WHERE a.id = 1 UNION SELECT a FROM Account a WHERE a.id = 2";
        run(em -> {
            if (IS_6) {
                assertThat(em.createQuery(union, Account.class)
                                .setLockMode(PESSIMISTIC_WRITE)
                                .getResultList())
                        .hasSize(2);
                assertThat(isLocked("Account", "true")).isFalse();
            } else {
                assertThatThrownBy(() -> em.createQuery(union, Account.class)
                                .setLockMode(PESSIMISTIC_WRITE)
                                .getResultList())
                        .hasMessageContaining("syntax error");
            }
            em.getTransaction().rollback();
        });
    }

    @Test
    void countLocksNothing() {
        run(em -> {
            em.createQuery("SELECT count(a) FROM Account a", Long.class)
                    .setLockMode(PESSIMISTIC_WRITE)
                    .getSingleResult();
            assertThat(isLocked("Account", "true")).isFalse();
        });
    }

    /** 7 logs the error, says that there is no such entity and ends the transaction. */
    @Test
    void tablePerClassCannotBeLockedByItsRoot() {
        assertThatThrownBy(() -> call(em -> {
                    Vehicle found = em.find(Vehicle.class, 1L, PESSIMISTIC_WRITE);
                    assertThat(IS_6).isFalse();
                    assertThat(found).isNull();
                    return found;
                }))
                .isInstanceOf(PersistenceException.class);
    }

    @Test
    void lockOfAManagedTablePerClassEntityLeavesItAsItWas() {
        Function<EntityManager, Integer> locking = em -> {
            Vehicle car = em.find(Vehicle.class, 1L);
            em.lock(car, PESSIMISTIC_WRITE);
            return car.mileage;
        };
        if (IS_6) {
            assertThat(whileOtherCommits("UPDATE Car SET mileage = 11 WHERE id = 1", locking))
                    .isEqualTo(10);
        } else {
            assertThatThrownBy(() -> call(locking)).hasMessageContaining("not allowed with UNION");
        }
    }

    /** What is in force is the session's own limit of a millisecond; 7 sets the one that was asked for. */
    @Test
    void lockTimeoutInMillisecondsIsIgnored() {
        try (Other other = new Other("SELECT * FROM Account WHERE id = 1 FOR UPDATE")) {
            CompletableFuture<String> waiting = start(() -> call(em -> {
                em.createNativeQuery("SET LOCAL lock_timeout = '1ms'").executeUpdate();
                em.find(Account.class, 1L, PESSIMISTIC_WRITE, Map.of("jakarta.persistence.lock.timeout", 20_000));
                return "locked";
            }));
            if (IS_6) {
                assertThatThrownBy(waiting::join).hasCauseInstanceOf(LockTimeoutException.class);
            } else {
                JpaDatabase.awaitBlocked(waiting);
                other.commit();
                assertThat(waiting.join()).isEqualTo("locked");
            }
        }
    }

    @Test
    void pessimisticWriteIsNotAlwaysTheSameLock() {
        sql("CREATE EXTENSION IF NOT EXISTS pgrowlocks");
        run(em -> {
            em.find(Account.class, 1L, PESSIMISTIC_WRITE);
            em.lock(em.find(Account.class, 2L), PESSIMISTIC_WRITE);
            assertThat(List.of(mode(1), mode(2)))
                    .isEqualTo(
                            IS_6
                                    ? List.of("For No Key Update", "For Update")
                                    : List.of("For No Key Update", "For No Key Update"));
        });
    }

    private static String mode(int id) {
        return JpaDatabase.value("SELECT modes[1] FROM pgrowlocks('account') AS l, Account AS a"
                + " WHERE a.ctid = l.locked_row AND a.id = " + id);
    }
}
