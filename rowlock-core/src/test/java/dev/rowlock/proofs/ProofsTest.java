package dev.rowlock.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.Lock;
import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import dev.rowlock.prover.Race;
import dev.rowlock.prover.RaceDatabase;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import dev.rowlock.prover.junit.RaceExtension;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every way to write is proved in all its orders, beside its broken twin, which is found out. */
@ExtendWith(RaceExtension.class)
class ProofsTest {
    private static final Table WALLETS = Table.of("wallet", "id");
    private static final Table PRODUCTS = Table.of("product", "id").withVersion("version");

    private RaceDatabase database;
    private Rowlock rowlock;
    /** Its deadlocks and aborts reach the caller. */
    private Rowlock once;

    @BeforeEach
    void open(RaceDatabase given) {
        database = given.execute(
                "CREATE TABLE wallet (id bigint PRIMARY KEY, balance bigint NOT NULL)",
                "CREATE TABLE product (id bigint PRIMARY KEY, price bigint NOT NULL, stock bigint NOT NULL,"
                        + " version bigint NOT NULL)");
        rowlock = Rowlock.over(database.dataSource());
        once = rowlock.withMaxAttempts(1);
    }

    private Race wallets() {
        return Race.on(database)
                .given("INSERT INTO wallet VALUES (1, 100), (2, 100), (3, 100)")
                .invariant("never below zero", "SELECT min(balance) >= 0 FROM wallet");
    }

    private Race products() {
        return Race.on(database)
                .given("INSERT INTO product VALUES (7, 250, 3, 1)")
                .invariant("never oversold", "SELECT min(stock) >= 0 FROM product");
    }

    private static void assertViolated(Race race, Anomaly anomaly) {
        assertThat(race.explore().verdict())
                .isInstanceOfSatisfying(
                        Verdict.Violated.class,
                        violated -> assertThat(violated.anomaly()).isEqualTo(anomaly));
    }

    private long charge(long amount) {
        return rowlock.withLock(WALLETS, 1L, (tx, row) -> {
            if (row.getLong("balance") < amount) {
                throw new IllegalStateException("only " + row.getLong("balance") + " left");
            }
            return tx.update(WALLETS, 1L)
                    .add("balance", -amount)
                    .apply()
                    .orThrow()
                    .getLong("balance");
        });
    }

    @Test
    void chargeUnderTheLock() {
        wallets().actor("A", () -> charge(80)).actor("B", () -> charge(80)).prove();
    }

    @Test
    void chargeOfWhatWasReadBefore() {
        assertViolated(
                wallets()
                        .actor("A", () -> Broken.take(once, "wallet", "balance", 1, 80, ""))
                        .actor("B", () -> Broken.take(once, "wallet", "balance", 1, 80, "")),
                Anomaly.LOST_UPDATE);
    }

    private String transfer(long from, long to) {
        return rowlock.withLocks(WALLETS, List.of(from, to), (tx, rows) -> {
            tx.update(WALLETS, from)
                    .add("balance", -60)
                    .onlyIf("balance >= ?", 60)
                    .apply()
                    .orThrow();
            tx.update(WALLETS, to).add("balance", 60).apply().orThrow();
            return "paid";
        });
    }

    @Test
    void transfersInARing() {
        wallets()
                .actor("A", () -> transfer(1, 2))
                .actor("B", () -> transfer(2, 3))
                .actor("C", () -> transfer(3, 1))
                .invariant("nothing is lost", "SELECT sum(balance) = 300 FROM wallet")
                .prove();
    }

    @Test
    void transfersThatLockInTheOrderOfTheirArguments() {
        assertViolated(
                wallets()
                        .actor("A", () -> Broken.transfer(once, 1, 2, 60))
                        .actor("B", () -> Broken.transfer(once, 2, 1, 60)),
                Anomaly.DEADLOCK);
    }

    private String reserve(long quantity) {
        return rowlock.call(tx -> tx.update(PRODUCTS, 7L)
                .add("stock", -quantity)
                .onlyIf("stock >= ?", quantity)
                .apply()
                .getClass()
                .getSimpleName());
    }

    @Test
    void reservationByAGuardedUpdate() {
        products()
                .actor("A", () -> reserve(2))
                .actor("B", () -> reserve(2))
                .actor("C", () -> reserve(1))
                .prove();
    }

    @Test
    void reservationOfStockThatWasReadBefore() {
        assertViolated(
                products()
                        .actor("A", () -> Broken.take(once, "product", "stock", 7, 2, ""))
                        .actor("B", () -> Broken.take(once, "product", "stock", 7, 2, "")),
                Anomaly.LOST_UPDATE);
    }

    private String reprice(long price) {
        return rowlock.call(tx -> tx.update(PRODUCTS, 7L)
                .set("price", price)
                .ifVersion(1)
                .apply()
                .getClass()
                .getSimpleName());
    }

    private String repriceIfStillVersionOne(long price) throws SQLException {
        return once.<String, SQLException>call(tx -> {
            if (Broken.number(tx.connection(), "SELECT version FROM product WHERE id = ?", 7) != 1) {
                return "Stale";
            }
            Broken.set(tx.connection(), "product", "version", 7, 2);
            Broken.set(tx.connection(), "product", "price", 7, price);
            return "Applied";
        });
    }

    @Test
    void editOfAVersion() {
        products().actor("A", () -> reprice(90)).actor("B", () -> reprice(80)).prove();
    }

    @Test
    void editThatComparesTheVersionInMemory() {
        assertViolated(
                products()
                        .actor("A", () -> repriceIfStillVersionOne(90))
                        .actor("B", () -> repriceIfStillVersionOne(80)),
                Anomaly.LOST_UPDATE);
    }

    private long takeUnderAShareLock(Rowlock by) {
        return by.call(tx -> {
            long balance = tx.lock(WALLETS, 1L, Lock.forShare()).getLong("balance");
            return tx.update(WALLETS, 1L)
                    .set("balance", balance - 10)
                    .apply()
                    .orThrow()
                    .getLong("balance");
        });
    }

    @Test
    void lockThatIsStrongEnoughFromTheBeginning() {
        wallets().actor("A", () -> charge(10)).actor("B", () -> charge(10)).prove();
    }

    /** Both share the row, and each waits for the other to let go: one is the victim, and its caller is told. */
    @Test
    void shareLockThatIsUpgraded() {
        assertViolated(
                wallets().actor("A", () -> takeUnderAShareLock(once)).actor("B", () -> takeUnderAShareLock(once)),
                Anomaly.DEADLOCK);
    }

    @Test
    void shareLockThatIsUpgradedAndRunAgain() {
        wallets()
                .actor("A", () -> takeUnderAShareLock(rowlock))
                .actor("B", () -> takeUnderAShareLock(rowlock))
                .prove();
    }
}
