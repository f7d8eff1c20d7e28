package dev.rowlock.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rowlock.DatabaseTest;
import dev.rowlock.Lock;
import dev.rowlock.RefusedWriteException;
import dev.rowlock.Session;
import dev.rowlock.Table;
import dev.rowlock.Threads.Both;
import dev.rowlock.Tx;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Public reports of kind B: more is sold than there is. */
class OversellCasesTest extends DatabaseTest {
    private static final Table VARIANTS = Table.of("variant", "id");
    private static final Table ORDERS = Table.of("ord", "id");
    private static final Table QUOTAS = Table.of("quota", "id");
    private static final Table PLACES = Table.of("place", "id");

    OversellCasesTest() {
        super(
                "CREATE TABLE variant (id bigint PRIMARY KEY, on_hand int NOT NULL)",
                "CREATE TABLE ord (id bigserial PRIMARY KEY, variant_id bigint NOT NULL)",
                "CREATE TABLE quota (id bigint PRIMARY KEY, size int NOT NULL)",
                "CREATE TABLE place (id bigserial PRIMARY KEY, quota_id bigint NOT NULL)",
                "INSERT INTO variant VALUES (1, 1)",
                "INSERT INTO quota VALUES (1, 1), (2, 2)");
    }

    // C06
    @Test
    void stockWrittenAsAnAbsoluteNumberHidesTheSecondSale() throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            long seenByA = a.read("SELECT on_hand FROM variant");
            long seenByB = b.read("SELECT on_hand FROM variant");
            a.run("UPDATE variant SET on_hand = " + (seenByA - 1));
            a.run("INSERT INTO ord (variant_id) VALUES (1)");
            a.commit();
            b.run("UPDATE variant SET on_hand = " + (seenByB - 1));
            b.run("INSERT INTO ord (variant_id) VALUES (1)");
            b.commit();
        }
        assertThat(database.number("SELECT on_hand FROM variant")).isZero();
        assertThat(orders()).isEqualTo(2);
    }

    // C06
    @Test
    void lastItemTakenUnderAGuardIsSoldOnce() {
        Both both = threads.secondWaits(database, this::sell);

        assertThat(both.first()).isEqualTo("sold");
        assertThat(both.second())
                .isInstanceOfSatisfying(
                        RefusedWriteException.class,
                        refused ->
                                assertThat(refused.current().getInt("on_hand")).isZero());
        assertThat(orders()).isEqualTo(1);
    }

    // C07
    @Test
    void pathWithoutTheLockOversellsAgainstThePathWithIt() throws Exception {
        try (Session locked = Session.open(database);
                Session unlocked = Session.open(database)) {
            locked.run("SELECT * FROM quota WHERE id = 1 FOR UPDATE");
            assertThat(locked.read("SELECT count(*) FROM place WHERE quota_id = 1"))
                    .isZero();
            assertThat(unlocked.read("SELECT count(*) FROM place WHERE quota_id = 1"))
                    .isZero();
            unlocked.run("INSERT INTO place (quota_id) VALUES (1)");
            unlocked.commit();
            locked.run("INSERT INTO place (quota_id) VALUES (1)");
            locked.commit();
        }
        assertThat(database.number("SELECT count(*) FROM place")).isEqualTo(2);
    }

    // C07
    @Test
    void quotaCountedUnderItsLockOnEveryPathHolds() {
        Both both = threads.secondWaits(database, meet -> book(1, meet));

        assertThat(both).isEqualTo(new Both("booked", "full"));
        assertThat(database.number("SELECT count(*) FROM place")).isEqualTo(1);
    }

    // C09
    @Test
    void monitorLeftBeforeTheCommitOversells() throws Exception {
        Object monitor = new Object();
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            synchronized (monitor) {
                assertThat(a.read("SELECT on_hand FROM variant")).isEqualTo(1);
                a.run("UPDATE variant SET on_hand = on_hand - 1");
                a.run("INSERT INTO ord (variant_id) VALUES (1)");
            }
            Session.Step waits;
            synchronized (monitor) {
                assertThat(b.read("SELECT on_hand FROM variant")).isEqualTo(1); // A has not committed yet
                waits = b.begin("UPDATE variant SET on_hand = on_hand - 1");
                a.commit();
                assertThat(waits.result()).isEqualTo(1);
                b.run("INSERT INTO ord (variant_id) VALUES (1)");
            }
            b.commit();
        }
        assertThat(database.number("SELECT on_hand FROM variant")).isEqualTo(-1);
        assertThat(orders()).isEqualTo(2);
    }

    // C09
    @Test
    void rowLockIsHeldUntilTheCommitAndSellsOnce() {
        Both both = threads.secondWaits(
                database,
                meet -> rowlock.withLock(VARIANTS, 1, (tx, variant) -> {
                    if (variant.getInt("on_hand") < 1) {
                        return "sold out";
                    }
                    must(tx.update(VARIANTS, 1).add("on_hand", -1).apply());
                    tx.insert(ORDERS).set("variant_id", 1).apply();
                    meet.run(); // everything is done but the commit
                    return "sold";
                }));

        assertThat(both).isEqualTo(new Both("sold", "sold out"));
        assertThat(database.number("SELECT on_hand FROM variant")).isZero();
        assertThat(orders()).isEqualTo(1);
    }

    // C10
    @Test
    void countThatSkipsLockedRowsMissesWhatIsSold() throws Exception {
        database.sql("INSERT INTO place (quota_id) VALUES (2)");
        try (Session holder = Session.open(database);
                Session counting = Session.open(database)) {
            holder.run("SELECT * FROM place FOR UPDATE");
            assertThat(counting.read("""
                    SELECT count(*)
                    FROM (SELECT 1 FROM place WHERE quota_id = 2 FOR UPDATE SKIP LOCKED) AS sold""")).isZero();
        }
    }

    // C10
    @Test
    void countUnderTheLockOfTheQuotaSeesHeldRowsToo() throws Exception {
        database.sql("INSERT INTO place (quota_id) VALUES (2)");
        try (Session holder = Session.open(database)) {
            holder.run("SELECT * FROM place FOR UPDATE");
            Both both = threads.secondWaits(database, meet -> book(2, meet));

            assertThat(both).isEqualTo(new Both("booked", "full"));
        }
        assertThat(database.number("SELECT count(*) FROM place WHERE quota_id = 2"))
                .isEqualTo(2);
    }

    // C10
    @Test
    void lockThatSkipsIsRefusedWhereAllRowsAreMeant() {
        rowlock.run(tx -> assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> tx.lockAll(QUOTAS, List.of(1, 2), Lock.forUpdate().skipLocked()))
                .withMessageContaining("cannot tell a skipped row from a missing one"));
    }

    private String sell(Runnable meet) {
        return rowlock.call(tx -> {
            must(tx.update(VARIANTS, 1)
                    .add("on_hand", -1)
                    .onlyIf("on_hand >= ?", 1)
                    .apply());
            tx.insert(ORDERS).set("variant_id", 1).apply();
            meet.run();
            return "sold";
        });
    }

    private String book(long quotaId, Runnable meet) throws SQLException {
        return rowlock.withLock(QUOTAS, quotaId, (tx, quota) -> {
            meet.run();
            if (taken(tx, quotaId) >= quota.getInt("size")) {
                return "full";
            }
            tx.insert(PLACES).set("quota_id", quotaId).apply();
            return "booked";
        });
    }

    private static long taken(Tx tx, long quotaId) throws SQLException {
        return Long.parseLong(text(tx, "SELECT count(*) FROM place WHERE quota_id = " + quotaId));
    }

    private long orders() {
        return database.number("SELECT count(*) FROM ord");
    }
}
