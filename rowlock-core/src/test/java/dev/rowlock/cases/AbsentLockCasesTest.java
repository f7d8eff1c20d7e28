package dev.rowlock.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.DatabaseTest;
import dev.rowlock.Lock;
import dev.rowlock.LockTimeoutException;
import dev.rowlock.Row;
import dev.rowlock.Session;
import dev.rowlock.Table;
import dev.rowlock.Threads.Both;
import dev.rowlock.Tx;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Public reports of kind H: the program believes that it holds a lock. */
class AbsentLockCasesTest extends DatabaseTest {
    private static final Table ENTITIES = Table.of("ent", "id");
    private static final Table LOCKS = Table.of("int_lock", "k");

    AbsentLockCasesTest() {
        super(
                "CREATE TABLE ent (id bigint PRIMARY KEY, bar int NOT NULL)",
                "CREATE TABLE int_lock (k text PRIMARY KEY, client text)",
                "INSERT INTO ent VALUES (1, 30)");
    }

    // C40
    @Test
    void selectThatLostItsLockClauseHoldsNothing() throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            assertThat(a.run("SELECT * FROM ent WHERE id = ANY ('{1}')")).isEqualTo(1);
            assertThat(b.run("SELECT * FROM ent WHERE id = 1 FOR UPDATE NOWAIT"))
                    .isEqualTo(1);
        }
    }

    // C40
    @Test
    void everyWayToLockReallyHoldsTheRow() throws Exception {
        List<Function<Tx, Row>> ways = List.of(
                tx -> tx.lock(ENTITIES, 1),
                tx -> tx.lock(ENTITIES, 1, Lock.forUpdate()),
                tx -> tx.lockIfPresent(ENTITIES, 1).orElseThrow(),
                tx -> tx.lockAll(ENTITIES, List.of(1)).get(1),
                tx -> tx.lockAllPresent(ENTITIES, List.of(1, 2), Lock.forNoKeyUpdate())
                        .get(1),
                tx -> tx.lockWhere(ENTITIES, "bar = ?", List.of(30), Lock.forNoKeyUpdate())
                        .get(1),
                tx -> tx.update(ENTITIES, 1).add("bar", 0).apply().orThrow());
        for (Function<Tx, Row> way : ways) {
            try (Session other = Session.open(database)) {
                rowlock.run(tx -> {
                    assertThat(way.apply(tx).getInt("bar")).isEqualTo(30);
                    assertThat(other.fail("SELECT * FROM ent WHERE id = 1 FOR NO KEY UPDATE NOWAIT"))
                            .isEqualTo("55P03");
                });
                other.rollback();
                assertThat(other.run("SELECT * FROM ent WHERE id = 1 FOR NO KEY UPDATE NOWAIT"))
                        .isEqualTo(1);
            }
        }
    }

    // C41
    @Test
    void lockGrantedButStateReadBeforeItLosesAnUpdate() throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            long loadedByA = a.read("SELECT bar FROM ent");
            long loadedByB = b.read("SELECT bar FROM ent");
            a.run("SELECT * FROM ent FOR UPDATE");
            Session.Step waits = b.begin("SELECT bar FROM ent FOR UPDATE");
            a.run("UPDATE ent SET bar = " + (loadedByA + 1));
            a.commit();
            assertThat(waits.result()).isEqualTo(31); // and the loaded 30 is used all the same
            b.run("UPDATE ent SET bar = " + (loadedByB + 1));
            b.commit();
        }
        assertThat(database.number("SELECT bar FROM ent")).isEqualTo(31);
    }

    // C41
    @Test
    void lockHandsOutTheStateUnderTheLockThoughTheRowWasReadBefore() {
        Both both = threads.secondWaits(
                database,
                meet -> rowlock.call(tx -> {
                    int before = tx.peek(ENTITIES, 1).orElseThrow().getInt("bar");
                    int locked = tx.lock(ENTITIES, 1).getInt("bar");
                    meet.run();
                    must(tx.update(ENTITIES, 1).set("bar", locked + 1).apply());
                    return before + " then " + locked;
                }));

        assertThat(both).isEqualTo(new Both("30 then 30", "30 then 31"));
        assertThat(database.number("SELECT bar FROM ent")).isEqualTo(32);
    }

    // C42
    @Test
    void sessionLockBehindATransactionPoolerIsLeftBehindAndSharedByChance() throws Exception {
        // Three server connections; the pooler sends each statement to another one.
        try (Session s1 = Session.openAutoCommit(database);
                Session s2 = Session.openAutoCommit(database);
                Session s3 = Session.openAutoCommit(database)) {
            s1.run("SELECT pg_advisory_lock(1000)");
            assertThat(s2.read("SELECT pg_advisory_unlock(1000)")).isZero();
            assertThat(s3.read("SELECT pg_try_advisory_lock(1000)")).isZero();
            assertThat(s1.read("SELECT pg_try_advisory_lock(1000)")).isEqualTo(1);
        }
    }

    // C42
    @Test
    void rowLockEndsWithItsTransactionOnTheSameConnection() throws Exception {
        try (Session other = Session.openAutoCommit(database)) {
            String probe = "SELECT * FROM ent FOR UPDATE NOWAIT";
            rowlock.run(tx -> {
                tx.lock(ENTITIES, 1);
                assertThat(other.fail(probe)).isEqualTo("55P03");
            });
            assertThat(other.run(probe)).isEqualTo(1); // committed
            assertThatThrownBy(() -> rowlock.run(tx -> {
                        tx.lock(ENTITIES, 1);
                        throw new IllegalArgumentException("no");
                    }))
                    .hasMessage("no");
            assertThat(other.run(probe)).isEqualTo(1); // rolled back
        }
    }

    // C44
    @Test
    void lockRowInsertedInsideTheCallersTransactionMakesTheOtherWaitAndVanishes() throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            assertThat(a.run("INSERT INTO int_lock VALUES ('k', 'A')")).isEqualTo(1); // "acquired"
            Session.Step waits = b.begin("INSERT INTO int_lock VALUES ('k', 'B')"); // "try" should not wait
            a.rollback();
            assertThat(waits.result()).isEqualTo(1); // A's lock was never recorded
        }
    }

    // C44: no lock table at all; the lock is the row's own, and lasts exactly as long as the transaction that does the
    // work
    @Test
    void secondTryOfARowLockIsToldAtOnceWhileTheFirstHolds() {
        database.sql("INSERT INTO int_lock VALUES ('k', NULL)");
        Both both = threads.secondPasses(this::tryLock, this::tryLock);

        assertThat(both.first()).isEqualTo("worked");
        assertThat(both.second())
                .isInstanceOfSatisfying(
                        LockTimeoutException.class, e -> assertThat(e.noWait()).isTrue());
    }

    private String tryLock(Runnable meet) {
        return rowlock.withLock(LOCKS, "k", Lock.forNoKeyUpdate().noWait(), (tx, lock) -> {
            meet.run();
            return "worked";
        });
    }
}
