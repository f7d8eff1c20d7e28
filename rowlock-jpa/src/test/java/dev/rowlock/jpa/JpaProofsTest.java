package dev.rowlock.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.Lock;
import dev.rowlock.StaleRowException;
import dev.rowlock.jpa.Entities.Account;
import dev.rowlock.jpa.Entities.CardPayment;
import dev.rowlock.jpa.Entities.Payment;
import dev.rowlock.jpa.Entities.Product;
import dev.rowlock.prover.Race;
import dev.rowlock.prover.RaceDatabase;
import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import dev.rowlock.prover.engine.Verdict.Violated;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.LockModeType;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.hibernate.Version;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every interleaving of two who work on entities: with JpaLocks none is wrong, and beside it stands the form that is. */
class JpaProofsTest {
    private static final boolean IS_6 = Version.getVersionString().startsWith("6.");

    private static RaceDatabase database;
    private static EntityManagerFactory factory;

    @BeforeAll
    static void open() {
        database = RaceDatabase.throwAway()
                .execute(
                        "CREATE TABLE Account (id bigint PRIMARY KEY, balance int NOT NULL, status text)",
                        "CREATE TABLE Product (id bigint PRIMARY KEY, stock int NOT NULL, code text, version bigint NOT NULL)",
                        "CREATE TABLE Payment (id bigint PRIMARY KEY, state text)",
                        "CREATE TABLE CardPayment (id bigint PRIMARY KEY REFERENCES Payment, amount int NOT NULL)");
        factory = JpaDatabase.factory(
                database.dataSource(),
                Map.of(
                        "hibernate.loaded_classes",
                        List.of(Account.class, Product.class, Payment.class, CardPayment.class)));
    }

    @AfterAll
    static void close() {
        factory.close();
        database.close();
    }

    private static Race accounts() {
        return Race.on(database)
                .given("TRUNCATE Account", "INSERT INTO Account VALUES (1, 100, 'open'), (2, 100, 'open')")
                .invariant("never below zero", "SELECT min(balance) >= 0 FROM Account");
    }

    private static <T> T call(Function<EntityManager, T> work) {
        return JpaDatabase.call(factory, work);
    }

    /** A text of several statements is one step to the prover, so the limit of the wait is the session's. */
    private static JpaLocks locks(EntityManager em) {
        return JpaLocks.over(em).withLockTimeoutOfTheSession();
    }

    private static Race both(Race race, Function<EntityManager, ?> work) {
        return race.actor("A", () -> call(work)).actor("B", () -> call(work));
    }

    private static Violated assertViolated(Race race, Anomaly anomaly) {
        Report report = race.explore();
        assertThat(report.verdict())
                .isInstanceOfSatisfying(
                        Violated.class,
                        violated -> assertThat(violated.anomaly()).isEqualTo(anomaly));
        return (Violated) report.verdict();
    }

    private static void prove(Race race) {
        Report report = race.explore();
        assertThat(report.verdict()).as("%s", report.verdict()).isInstanceOf(Verdict.Proved.class);
    }

    private static int charge(Account account) {
        return account.balance >= 80 ? account.withdraw(80) : -1;
    }

    @Test
    void chargeUnderALock() {
        prove(both(accounts(), em -> locks(em).withLock(Account.class, 1L, (m, account) -> charge(account))));
    }

    @Test
    void chargeUnderALockThatAQueryTakes() {
        prove(both(
                accounts(),
                em -> locks(em)
                        .withLocksWhere(
                                Account.class,
                                "SELECT a FROM Account a WHERE a.id = 1",
                                Map.of(),
                                Lock.forNoKeyUpdate(),
                                (m, found) -> charge(found.get(0)))));
    }

    @Test
    void chargeWithoutALock() {
        assertViolated(both(accounts(), em -> charge(em.find(Account.class, 1L))), Anomaly.LOST_UPDATE);
    }

    /** It waits for the other's commit, and brings nothing of it into the object. */
    @Test
    void managedEntityThatHibernateLocks() {
        assertViolated(
                both(accounts(), em -> {
                    Account account = em.find(Account.class, 1L);
                    em.lock(account, LockModeType.PESSIMISTIC_WRITE);
                    return charge(account);
                }),
                Anomaly.LOST_UPDATE);
    }

    @Test
    void managedEntityUnderALock() {
        prove(both(accounts(), em -> {
            em.find(Account.class, 1L);
            return locks(em).withLock(Account.class, 1L, (m, account) -> charge(account));
        }));
    }

    private static int transfer(EntityManager em, long from, long to) {
        return locks(em).withLocks(Account.class, List.of(from, to), (m, accounts) -> {
            accounts.get(to).balance += 30;
            return accounts.get(from).withdraw(30);
        });
    }

    @Test
    void transfersInOppositeDirections() {
        prove(accounts()
                .actor("A", () -> call(em -> transfer(em, 1, 2)))
                .actor("B", () -> call(em -> transfer(em, 2, 1))));
    }

    private static int transferInTheCallersOrder(EntityManager em, long from, long to) {
        Account payer = em.find(Account.class, from, LockModeType.PESSIMISTIC_WRITE);
        em.find(Account.class, to, LockModeType.PESSIMISTIC_WRITE).balance += 30;
        return payer.withdraw(30);
    }

    @Test
    void transfersInTheCallersOrder() {
        assertViolated(
                accounts()
                        .actor("A", () -> call(em -> transferInTheCallersOrder(em, 1, 2)))
                        .actor("B", () -> call(em -> transferInTheCallersOrder(em, 2, 1))),
                Anomaly.DEADLOCK);
    }

    /** With JpaLocks the flush is refused, see {@link SharedLocksTest}. */
    @Test
    void sharedLockOfHibernateThatIsWrittenUnder() {
        assertViolated(
                both(accounts(), em -> charge(em.find(Account.class, 1L, LockModeType.PESSIMISTIC_READ))),
                Anomaly.DEADLOCK);
    }

    /** At REPEATABLE READ the lock itself finds the snapshot too old; whoever is given up has done nothing. */
    @Test
    void staleSnapshotIsAConflict() {
        prove(both(accounts(), em -> {
            em.createNativeQuery("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                    .executeUpdate();
            em.find(Account.class, 1L);
            return locks(em).withLock(Account.class, 1L, (m, account) -> charge(account));
        }));
    }

    private static Race payments() {
        return Race.on(database)
                .given(
                        "TRUNCATE Payment CASCADE",
                        "INSERT INTO Payment VALUES (1, 'new')",
                        "INSERT INTO CardPayment VALUES (1, 100)");
    }

    private static String pay(CardPayment payment) {
        if (payment.amount < 80) {
            return "refused";
        }
        payment.amount -= 80;
        return "paid";
    }

    @Test
    void joinedEntityUnderALock() {
        prove(both(payments(), em -> pay((CardPayment) locks(em).lock(Payment.class, 1L))));
    }

    /** 6.6 reads it, locks it and hands out what it has read. */
    @Test
    void joinedEntityThatHibernateLocks() {
        Race race =
                both(payments(), em -> pay((CardPayment) em.find(Payment.class, 1L, LockModeType.PESSIMISTIC_WRITE)));
        if (IS_6) {
            assertViolated(race, Anomaly.LOST_UPDATE);
        } else {
            prove(race);
        }
    }

    private static Race products() {
        return Race.on(database).given("TRUNCATE Product", "INSERT INTO Product VALUES (1, 3, 'A-1', 7)");
    }

    private static String edit(int stock) {
        try {
            return call(em -> {
                JpaVersions.over(em).ifVersion(Product.class, 1L, 7L).stock = stock;
                JpaVersions.over(em).flush();
                return "edited";
            });
        } catch (StaleRowException e) {
            return "stale";
        }
    }

    @Test
    void editOfTheVersionThatTheClientHadRead() {
        prove(products().actor("A", () -> edit(9)).actor("B", () -> edit(8)));
    }

    private static String editWithACopiedVersion(int stock) {
        return call(em -> {
            Product product = em.find(Product.class, 1L, LockModeType.PESSIMISTIC_WRITE);
            product.version = 7;
            product.stock = stock;
            return "edited";
        });
    }

    /** In a row they both succeed, so it is no matter of order: the invariant says what is wrong. */
    @Test
    void versionThatIsCopiedOntoTheEntity() {
        Violated violated = assertViolated(
                products()
                        .actor("A", () -> editWithACopiedVersion(9))
                        .actor("B", () -> editWithACopiedVersion(8))
                        .invariant("one edit of version 7", "SELECT version = 8 FROM Product"),
                Anomaly.BROKEN_INVARIANT);
        assertThat(violated).isNotNull();
    }
}
