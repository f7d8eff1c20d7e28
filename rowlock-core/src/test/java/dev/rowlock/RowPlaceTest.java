package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.counter.Counter;
import org.junit.jupiter.api.Test;

/** Writes that look first where the row lay: whatever has become of that place, they do what they would do by the key. */
class RowPlaceTest extends DatabaseTest {
    private static final Table WALLETS = Table.of("wallet", "id").withVersion("version");

    private final RowPlace place = new RowPlace();

    RowPlaceTest() {
        super(
                "CREATE TABLE wallet (id bigint PRIMARY KEY, balance bigint NOT NULL, version bigint NOT NULL DEFAULT 0)",
                "INSERT INTO wallet VALUES (1, 100), (2, 200)");
    }

    private Write take(Tx tx, int amount) {
        return tx.update(WALLETS, 1)
                .add("balance", -amount)
                .onlyIf("balance >= ?", amount)
                .near(place)
                .apply();
    }

    private Write take(int amount) {
        return rowlock.call(tx -> take(tx, amount));
    }

    private long balance() {
        return database.number("SELECT balance FROM wallet WHERE id = 1");
    }

    private static long balanceOf(Write write) {
        return write.orThrow().getLong("balance");
    }

    private long indexScans() {
        rowlock.query("SELECT pg_stat_force_next_flush()");
        return database.number("SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'wallet_pkey'");
    }

    @Test
    void onlyTheFirstWriteGoesByTheKey() {
        long before = indexScans();
        for (int i = 1; i <= 20; i++) {
            assertThat(balanceOf(take(1))).isEqualTo(100 - i);
        }
        assertThat(indexScans() - before).isEqualTo(1);
    }

    @Test
    void theRowThatComesBackHasItsOwnColumnsOnly() {
        take(1);
        assertThat(take(1).orThrow().toString()).doesNotContain("place");
        assertThat(rowlock.update(WALLETS, 1)
                        .add("balance", -1)
                        .near(place)
                        .apply()
                        .orThrow()
                        .version())
                .isEqualTo(3);
    }

    @Test
    void whoeverElseHasWrittenTheRowIsSeen() {
        take(1);
        database.sql("UPDATE wallet SET balance = 50 WHERE id = 1");
        assertThat(balanceOf(take(1))).isEqualTo(49);
        database.sql("UPDATE wallet SET balance = 0 WHERE id = 1");
        assertThat(take(1)).isInstanceOf(Write.Refused.class);
        database.sql("DELETE FROM wallet WHERE id = 1");
        assertThat(take(1)).isInstanceOf(Write.Missing.class);
    }

    /** The other one is waited for in the place itself, and has left it when it commits. */
    @Test
    void writerThatIsJustAtTheRowIsWaitedFor() {
        take(1);
        Threads.Both both = threads.secondWaits(
                database,
                meet -> rowlock.call(tx -> {
                    long left =
                            balanceOf(tx.update(WALLETS, 1).add("balance", -90).apply());
                    meet.run();
                    return left;
                }),
                meet -> take(10));
        assertThat(both.first()).isEqualTo(9L);
        assertThat(both.second()).isInstanceOf(Write.Refused.class);
        assertThat(balance()).isEqualTo(9);
    }

    @Test
    void olderSnapshotLosesToTheWriterInBetween() throws Exception {
        take(1);
        Rowlock once = Rowlock.builder(database.pool())
                .isolation(Isolation.REPEATABLE_READ)
                .maxAttempts(1)
                .build();
        assertThatThrownBy(() -> once.run(tx -> {
                    tx.query("SELECT 1 FROM wallet");
                    database.sql("UPDATE wallet SET balance = 50 WHERE id = 1");
                    must(take(tx, 1));
                }))
                .isInstanceOf(RowlockException.class)
                .hasMessageContaining("40001");
        assertThat(balance()).isEqualTo(50);
    }

    @Test
    void versionIsCheckedInThePlaceToo() {
        take(1);
        Write stale = rowlock.update(WALLETS, 1)
                .set("balance", 7)
                .ifVersion(0)
                .near(place)
                .apply();
        assertThat(stale).isInstanceOf(Write.Stale.class);
        assertThat(balance()).isEqualTo(99);
    }

    /** The place is given to another row once the first one is cleaned away. */
    @Test
    void rowThatLiesInThePlaceByNowIsNotTouched() {
        take(1);
        String lay = text("SELECT ctid::text AS t FROM wallet WHERE id = 1");
        database.sql(
                "DELETE FROM wallet WHERE id = 1",
                "VACUUM wallet",
                "INSERT INTO wallet SELECT n, n FROM generate_series(3, 9) AS n");
        long there = database.number("SELECT id FROM wallet WHERE ctid = '" + lay + "'");
        assertThat(there).isGreaterThan(2);

        assertThat(take(1)).isInstanceOf(Write.Missing.class);

        assertThat(database.number("SELECT balance FROM wallet WHERE id = " + there))
                .isEqualTo(there);
        // What it would be without the key.
        database.sql("UPDATE wallet SET balance = balance - 1 WHERE ctid = '" + lay + "'");
        assertThat(database.number("SELECT balance FROM wallet WHERE id = " + there))
                .isEqualTo(there - 1);
    }

    private String text(String query) {
        return rowlock.query(query).get(0).getString("t");
    }

    @Test
    void afterMissesThePlaceIsTriedEverMoreRarely() {
        place.found("(0,1)", false);
        assertThat(place.toTry()).isEqualTo("(0,1)");
        place.missed();
        place.found("(0,2)", false);
        assertThat(place.toTry()).isNull();
        assertThat(place.toTry()).isEqualTo("(0,2)");
        place.missed();
        place.found("(0,3)", false);
        for (int i = 0; i < 3; i++) {
            assertThat(place.toTry()).isNull();
        }
        assertThat(place.toTry()).isEqualTo("(0,3)");
        place.found("(0,4)", true);
        place.missed();
        place.found("(0,5)", false);
        assertThat(place.toTry()).isNull();
        assertThat(place.toTry()).isEqualTo("(0,5)");
    }

    @Test
    void counterOfAViewWorksWithoutPlaces() {
        database.sql("CREATE VIEW purse AS SELECT id, balance FROM wallet");
        Counter counter =
                Counter.over(rowlock, Table.of("purse", "id"), "balance").min(0).build();
        assertThat(threads.crowd(30, () -> counter.add(1L, -1).orThrow()))
                .noneMatch(result -> result instanceof Throwable);
        assertThat(balance()).isEqualTo(70);
    }

    @Test
    void crowdAtACounterBesideAnotherWriterGetsAllItsUnits() {
        Counter counter = Counter.over(rowlock, WALLETS, "balance").min(0).build();
        assertThat(threads.crowd(
                        60,
                        () -> Thread.currentThread().getId() % 2 == 0
                                ? counter.add(1L, -1).orThrow()
                                : rowlock.update(WALLETS, 1)
                                        .add("balance", -1)
                                        .apply()
                                        .orThrow()))
                .noneMatch(result -> result instanceof Throwable);
        assertThat(balance()).isEqualTo(40);
    }
}
