package dev.rowlock.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.DatabaseTest;
import dev.rowlock.Key;
import dev.rowlock.Lock;
import dev.rowlock.Rowlock;
import dev.rowlock.Session;
import dev.rowlock.Table;
import dev.rowlock.Threads.Both;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Public reports of kind E: the same rows are locked in different orders. */
class DeadlockCasesTest extends DatabaseTest {
    private static final Table MESSAGES = Table.of("um", "id");
    private static final Table WORKSPACES = Table.of("ws", "id");
    private static final Table FILES = Table.of("f", "id");
    private static final Table SESSIONS = Table.of("ous", "realm", "sid");
    private static final Table ACCOUNTS = Table.of("acc", "id");
    private static final Table PIPELINES = Table.of("e", "pid");

    DeadlockCasesTest() {
        super(
                "CREATE TABLE um (id bigint PRIMARY KEY, flags int NOT NULL)",
                "CREATE TABLE ws (id bigint PRIMARY KEY, used int NOT NULL)",
                "CREATE TABLE f (id bigserial PRIMARY KEY, ws_id bigint NOT NULL REFERENCES ws, sz int NOT NULL)",
                "CREATE TABLE ous (realm text, sid text, ref int NOT NULL, PRIMARY KEY (realm, sid))",
                "CREATE TABLE acc (id bigint PRIMARY KEY, bal int NOT NULL CHECK (bal >= 0))",
                "CREATE TABLE e (pid bigint PRIMARY KEY, msg text NOT NULL)",
                "INSERT INTO um VALUES (1, 0), (2, 0)",
                "INSERT INTO ws VALUES (1, 0)",
                "INSERT INTO ous VALUES ('X', 'a', 0), ('Y', 'b', 0)",
                "INSERT INTO acc VALUES (1, 100), (2, 100)",
                "INSERT INTO e VALUES (1, '-'), (2, '-')");
    }

    // C23
    @Test
    void flagsSetRowByRowInOppositeOrderDeadlock() throws Exception {
        crossed(
                "UPDATE um SET flags = flags | 1 WHERE id = 1",
                "UPDATE um SET flags = flags | 1 WHERE id = 2",
                "UPDATE um SET flags = flags | 2 WHERE id = 2",
                "UPDATE um SET flags = flags | 2 WHERE id = 1");
    }

    // C23
    @Test
    void flagsSetUnderSortedLocksWaitInsteadOfDeadlocking() throws SQLException {
        threads.secondWaits(database, meet -> setFlag(1, List.of(1, 2), meet), meet -> setFlag(2, List.of(2, 1), meet));

        assertThat(database.number("SELECT count(*) FROM um WHERE flags = 3")).isEqualTo(2);
        assertThat(database.deadlocks()).isZero();
    }

    // C24
    @Test
    void parentLockedForUpdateAfterItsChildWasInsertedDeadlocks() throws Exception {
        crossed(
                "INSERT INTO f (ws_id, sz) VALUES (1, 10)",
                "SELECT used FROM ws WHERE id = 1 FOR UPDATE",
                "INSERT INTO f (ws_id, sz) VALUES (1, 20)",
                "SELECT used FROM ws WHERE id = 1 FOR UPDATE");
    }

    // C24
    @Test
    void parentLockedWithTheDefaultStrengthAfterItsChildWasInsertedOnlyWaits() {
        Both both = threads.secondWaits(database, meet -> upload(10, meet), meet -> upload(20, meet));

        assertThat(both).isEqualTo(new Both(10, 30));
        assertThat(database.deadlocks()).isZero();
    }

    // C27
    @Test
    void realmsRefreshedInListOrderDeadlock() throws Exception {
        crossed(
                "UPDATE ous SET ref = 1 WHERE realm = 'X'",
                "UPDATE ous SET ref = 1 WHERE realm = 'Y'",
                "UPDATE ous SET ref = 2 WHERE realm = 'Y'",
                "UPDATE ous SET ref = 2 WHERE realm = 'X'");
    }

    // C27
    @Test
    void realmsRefreshedUnderSortedLocksWaitInsteadOfDeadlocking() {
        Key x = Key.of("X", "a");
        Key y = Key.of("Y", "b");
        threads.secondWaits(database, meet -> refresh(1, List.of(x, y), meet), meet -> refresh(2, List.of(y, x), meet));

        assertThat(database.number("SELECT count(*) FROM ous WHERE ref = 2")).isEqualTo(2);
        assertThat(database.deadlocks()).isZero();
    }

    // C28
    @Test
    void upsertsInDifferentOrderDeadlock() throws Exception {
        crossed(upsert(1, "A"), upsert(2, "A"), upsert(2, "B"), upsert(1, "B"));
    }

    // C28
    @Test
    void upsertsOfNewKeysInDifferentOrderDeadlockToo() throws Exception {
        crossed(upsert(8, "A"), upsert(9, "A"), upsert(9, "B"), upsert(8, "B"));
    }

    // C28: rows that are there are locked first; for new keys there is nothing to lock, so the whole function is run
    // again
    @Test
    void upsertsOfExistingRowsUnderSortedLocksWaitInsteadOfDeadlocking() throws SQLException {
        threads.secondWaits(
                database, meet -> report("A", List.of(1, 2), meet), meet -> report("B", List.of(2, 1, 2), meet));

        assertThat(database.number("SELECT count(*) FROM e WHERE msg = 'B'")).isEqualTo(2);
        assertThat(database.deadlocks()).isZero();
    }

    // C29
    @Test
    void senderLockedFirstDeadlocksWithTheOppositeTransfer() throws Exception {
        crossed(
                "SELECT * FROM acc WHERE id = 1 FOR UPDATE",
                "SELECT id FROM acc WHERE id = 2 FOR UPDATE",
                "SELECT * FROM acc WHERE id = 2 FOR UPDATE",
                "SELECT id FROM acc WHERE id = 1 FOR UPDATE");
    }

    // C29
    @Test
    void oppositeTransferWaitsWhenBothAccountsAreLockedAtOnce() {
        Both both = threads.secondWaits(database, meet -> transfer(1, 2, 40, meet), meet -> transfer(2, 1, 140, meet));

        assertThat(both).isEqualTo(new Both("1 has 60", "2 has 0"));
        assertThat(database.number("SELECT bal FROM acc WHERE id = 1")).isEqualTo(200);
        assertThat(database.deadlocks()).isZero();
    }

    /** Each session's second statement waits for what the other's first one holds; one of them is the victim. */
    private void crossed(String a1, String a2, String b1, String b2) throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            a.run(a1);
            b.run(b1);
            Session.Step a2Waits = a.begin(a2);
            Session.Step b2Waits = b.start(b2);
            assertThat(Session.endings(a2Waits, b2Waits)).containsExactlyInAnyOrder("ok", "40P01");
        }
    }

    private boolean setFlag(int flag, List<Integer> ids, Runnable meet) throws SQLException {
        return rowlock.withLocks(MESSAGES, ids, (tx, rows) -> {
            meet.run();
            execute(tx, "UPDATE um SET flags = flags | " + flag + " WHERE id IN (1, 2)");
            return true;
        });
    }

    private int upload(int size, Runnable meet) {
        return once().call(tx -> {
            tx.insert(FILES).set("ws_id", 1).set("sz", size).apply();
            tx.lock(WORKSPACES, 1);
            meet.run();
            return tx.update(WORKSPACES, 1).add("used", size).apply().orThrow().getInt("used");
        });
    }

    private boolean refresh(int ref, List<Key> keys, Runnable meet) {
        return once().withLocks(SESSIONS, keys, (tx, rows) -> {
            meet.run();
            rows.forEach(
                    row -> must(tx.update(SESSIONS, row.key()).set("ref", ref).apply()));
            return true;
        });
    }

    private boolean report(String message, List<Integer> pipelines, Runnable meet) throws SQLException {
        return once().call(tx -> {
            tx.lockAllPresent(PIPELINES, pipelines, Lock.forNoKeyUpdate());
            meet.run();
            for (int pipeline : pipelines) {
                execute(tx, upsert(pipeline, message));
            }
            return true;
        });
    }

    private static String upsert(int pipeline, String message) {
        return "INSERT INTO e VALUES (" + pipeline + ", '" + message
                + "') ON CONFLICT (pid) DO UPDATE SET msg = excluded.msg";
    }

    private String transfer(int from, int to, int amount, Runnable meet) {
        return once().withLocks(ACCOUNTS, List.of(from, to), (tx, rows) -> {
            meet.run();
            int left = tx.update(ACCOUNTS, from)
                    .add("bal", -amount)
                    .apply()
                    .orThrow()
                    .getInt("bal");
            must(tx.update(ACCOUNTS, to).add("bal", amount).apply());
            return from + " has " + left;
        });
    }

    /** No second attempt could hide a deadlock. */
    private Rowlock once() {
        return rowlock.withMaxAttempts(1);
    }
}
