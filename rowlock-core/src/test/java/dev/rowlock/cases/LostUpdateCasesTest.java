package dev.rowlock.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.DatabaseTest;
import dev.rowlock.RefusedWriteException;
import dev.rowlock.Session;
import dev.rowlock.Table;
import dev.rowlock.Threads.Both;
import org.junit.jupiter.api.Test;

/** Public reports of kind A: an update is lost, or the same thing is spent twice. */
class LostUpdateCasesTest extends DatabaseTest {
    private static final Table CLAIMS = Table.of("coupon_claim", "id");
    private static final Table DISCOUNTS = Table.of("discount", "id");
    private static final Table ORDERS = Table.of("ord", "id");
    private static final Table COUNTERS = Table.of("meta", "k");
    private static final Table WALLETS = Table.of("wallet", "id");

    LostUpdateCasesTest() {
        super(
                "CREATE TABLE coupon_claim (id bigint PRIMARY KEY, use_status int NOT NULL)",
                "CREATE TABLE discount (id bigint PRIMARY KEY, total_use int NOT NULL, usage_limit int NOT NULL)",
                "CREATE TABLE ord (id bigserial PRIMARY KEY, for_id bigint NOT NULL)",
                "CREATE TABLE meta (k text PRIMARY KEY, v int NOT NULL)",
                "CREATE TABLE wallet (id bigint PRIMARY KEY, balance int NOT NULL)",
                "INSERT INTO coupon_claim VALUES (54, 0)",
                "INSERT INTO discount VALUES (1, 0, 1)",
                "INSERT INTO meta VALUES ('usage', 0)",
                "INSERT INTO wallet VALUES (1, 100)");
    }

    // C01
    @Test
    void couponClaimMarkedByItsKeyAlonePaysForTwoOrders() throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            assertThat(a.read("SELECT use_status FROM coupon_claim WHERE id = 54"))
                    .isZero();
            assertThat(b.read("SELECT use_status FROM coupon_claim WHERE id = 54"))
                    .isZero();
            for (Session each : new Session[] {a, b}) {
                each.run("INSERT INTO ord (for_id) VALUES (54)");
                assertThat(each.run("UPDATE coupon_claim SET use_status = 1 WHERE id = 54"))
                        .isEqualTo(1);
                each.commit();
            }
        }
        assertThat(orders()).isEqualTo(2);
    }

    // C01
    @Test
    void couponClaimGuardedInTheWritePaysForOneOrder() {
        Both both = threads.secondWaits(
                database,
                meet -> rowlock.call(tx -> {
                    must(tx.update(CLAIMS, 54)
                            .set("use_status", 1)
                            .onlyIf("use_status = ?", 0)
                            .apply());
                    meet.run();
                    return tx.insert(ORDERS).set("for_id", 54).apply().getLong("for_id");
                }));

        assertThat(both.first()).isEqualTo(54L);
        assertThat(both.second()).isInstanceOf(RefusedWriteException.class);
        assertThat(orders()).isEqualTo(1);
    }

    // C02
    @Test
    void discountGuardWhoseRowCountIsIgnoredLetsBothOrdersPass() throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            String guarded = "UPDATE discount SET total_use = total_use + 1 WHERE id = 1 AND total_use < usage_limit";
            a.run("INSERT INTO ord (for_id) VALUES (1)");
            b.run("INSERT INTO ord (for_id) VALUES (1)");
            assertThat(a.run(guarded)).isEqualTo(1);
            Session.Step waits = b.begin(guarded);
            a.commit();
            assertThat(waits.result()).isZero(); // and nobody looks
            b.commit();
        }
        assertThat(orders()).isEqualTo(2);
        assertThat(database.number("SELECT total_use FROM discount")).isEqualTo(1);
    }

    // C02
    @Test
    void refusedDiscountTakesItsOrderAlong() {
        Both both = threads.secondWaits(
                database,
                meet -> rowlock.call(tx -> {
                    tx.insert(ORDERS).set("for_id", 1).apply();
                    must(tx.update(DISCOUNTS, 1)
                            .add("total_use", 1)
                            .onlyIf("total_use < usage_limit")
                            .apply());
                    meet.run();
                    return "ordered";
                }));

        assertThat(both.first()).isEqualTo("ordered");
        assertThat(both.second()).isInstanceOf(RefusedWriteException.class);
        assertThat(orders()).isEqualTo(1);
        assertThat(database.number("SELECT total_use FROM discount")).isEqualTo(1);
    }

    // C03
    @Test
    void counterWrittenAsAnAbsoluteNumberLosesAUse() throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            long seenByA = a.read("SELECT v FROM meta WHERE k = 'usage'");
            long seenByB = b.read("SELECT v FROM meta WHERE k = 'usage'");
            a.run("UPDATE meta SET v = " + (seenByA + 1) + " WHERE k = 'usage'");
            Session.Step waits = b.begin("UPDATE meta SET v = " + (seenByB + 1) + " WHERE k = 'usage'");
            a.commit();
            assertThat(waits.result()).isEqualTo(1);
            b.commit();
        }
        assertThat(database.number("SELECT v FROM meta")).isEqualTo(1);
    }

    // C03
    @Test
    void counterRaisedByTheDatabaseCountsBothUses() {
        Both both = threads.secondWaits(
                database,
                meet -> rowlock.call(tx -> {
                    long uses = tx.update(COUNTERS, "usage")
                            .add("v", 1)
                            .onlyIf("v < ?", 1000)
                            .apply()
                            .orThrow()
                            .getLong("v");
                    meet.run();
                    return uses;
                }));

        assertThat(both).isEqualTo(new Both(1L, 2L));
        assertThat(database.number("SELECT v FROM meta")).isEqualTo(2);
    }

    // C04
    @Test
    void balanceReadBeforeTheMutexIsSpentTwice() throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            long seenByB = b.read("SELECT balance FROM wallet");
            long seenByA = a.read("SELECT balance FROM wallet");
            a.run("SELECT pg_advisory_xact_lock(1)");
            a.run("UPDATE wallet SET balance = " + (seenByA - 50));
            Session.Step waits = b.begin("SELECT 1 FROM pg_advisory_xact_lock(1)");
            a.commit();
            assertThat(waits.result()).isEqualTo(1);
            b.run("UPDATE wallet SET balance = " + (seenByB - 100));
            b.commit();
        }
        assertThat(database.number("SELECT balance FROM wallet")).isZero(); // 150 were taken out of 100
    }

    // C04
    @Test
    void balanceHandedOutByTheLockIsTheOneToDecideOn() {
        Both both = threads.secondWaits(database, meet -> withdraw(50, meet), meet -> withdraw(100, meet));

        assertThat(both).isEqualTo(new Both("50 left", "refused, 50 left"));
        assertThat(database.number("SELECT balance FROM wallet")).isEqualTo(50);
    }

    private String withdraw(int amount, Runnable meet) {
        return rowlock.withLock(WALLETS, 1, (tx, wallet) -> {
            meet.run();
            if (wallet.getInt("balance") < amount) {
                return "refused, " + wallet.getInt("balance") + " left";
            }
            return tx.update(WALLETS, 1)
                            .add("balance", -amount)
                            .apply()
                            .orThrow()
                            .getInt("balance") + " left";
        });
    }

    private long orders() {
        return database.number("SELECT count(*) FROM ord");
    }
}
