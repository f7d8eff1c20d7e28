package dev.rowlock.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.DatabaseException;
import dev.rowlock.DatabaseTest;
import dev.rowlock.Lock;
import dev.rowlock.Session;
import dev.rowlock.Table;
import dev.rowlock.Threads;
import dev.rowlock.Threads.Both;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Public reports of kind E where the row is not there yet, so there is nothing to lock. */
class NewRowCasesTest extends DatabaseTest {
    private static final Table RUNS = Table.of("runs", "uid");
    private static final Table PROJECTS = Table.of("project", "id");
    private static final Table PIPELINES = Table.of("e", "pid");

    NewRowCasesTest() {
        super(
                "CREATE TABLE runs (uid text PRIMARY KEY, body text NOT NULL)",
                "CREATE TABLE project (id bigint PRIMARY KEY)",
                "CREATE TABLE e (pid bigint PRIMARY KEY, msg text NOT NULL)",
                "INSERT INTO project VALUES (1)");
    }

    // C25
    @Test
    void lockOfAMissingRowKeepsNobodyFromCreatingIt() throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            assertThat(a.run("SELECT * FROM runs WHERE uid = 'a' FOR UPDATE")).isZero();
            assertThat(b.run("SELECT * FROM runs WHERE uid = 'a' FOR UPDATE")).isZero();
            a.run("INSERT INTO runs VALUES ('a', 'A')");
            Session.Step waits = b.begin("INSERT INTO runs VALUES ('a', 'B')");
            a.commit();
            assertThat(waits.failure()).isEqualTo("23505");
        }
    }

    // C25
    @Test
    void creatorsOfDifferentRunsDoNotWaitForEachOther() {
        Both both = threads.secondPasses(meet -> create("a", meet), meet -> create("b", meet));

        assertThat(both).isEqualTo(new Both("created a", "created b"));
    }

    // C25
    @Test
    void secondCreatorOfARunUnderTheLockOfItsParentSeesIt() {
        Both both = threads.secondWaits(
                database,
                meet -> rowlock.withLock(PROJECTS, 1, (tx, project) -> {
                    meet.run();
                    if (tx.lockIfPresent(RUNS, "a").isPresent()) {
                        return "is there";
                    }
                    tx.insert(RUNS).set("uid", "a").set("body", "-").apply();
                    return "created";
                }));

        assertThat(both).isEqualTo(new Both("created", "is there"));
    }

    // C25
    @Test
    void secondCreatorOfARunWithoutALockIsTold() {
        Both both = threads.secondWaits(
                database,
                meet -> rowlock.call(tx -> {
                    assertThat(tx.lockIfPresent(RUNS, "a")).isEmpty();
                    tx.insert(RUNS).set("uid", "a").set("body", "-").apply();
                    meet.run();
                    return "created";
                }));

        assertThat(both.first()).isEqualTo("created");
        assertThat(both.second())
                .isInstanceOfSatisfying(
                        DatabaseException.class, e -> assertThat(e.sqlState()).contains("23505"));
    }

    // C28: new keys cannot be locked, so the deadlock does happen; it ends in a second attempt, not at the caller
    @Test
    void upsertsOfNewKeysInDifferentOrderAreRunAgain() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        CountDownLatch bothHaveOne = new CountDownLatch(2);
        Future<Integer> other = threads.start(() -> upsert(List.of(9, 8), attempts, bothHaveOne));

        assertThat(upsert(List.of(8, 9), attempts, bothHaveOne)).isEqualTo(2);
        assertThat(Threads.result(other)).isEqualTo(2);
        // More than three if the victim is back before the other one has woken up.
        assertThat(attempts).hasValueGreaterThanOrEqualTo(3);
        assertThat(database.number("SELECT count(*) FROM e")).isEqualTo(2);
    }

    private String create(String uid, Runnable meet) {
        return rowlock.call(tx -> {
            assertThat(tx.lockIfPresent(RUNS, uid, Lock.forUpdate())).isEmpty();
            meet.run();
            return "created "
                    + tx.insert(RUNS).set("uid", uid).set("body", "-").apply().getString("uid");
        });
    }

    private int upsert(List<Integer> pipelines, AtomicInteger attempts, CountDownLatch bothHaveOne)
            throws SQLException {
        return rowlock.call(tx -> {
            attempts.incrementAndGet();
            int done = 0;
            for (int pipeline : pipelines) {
                execute(tx, "INSERT INTO e VALUES (" + pipeline + ", '-') ON CONFLICT DO NOTHING");
                done++;
                bothHaveOne.countDown();
                Threads.await(bothHaveOne);
            }
            assertThat(tx.lockAll(PIPELINES, pipelines).size()).isEqualTo(2);
            return done;
        });
    }
}
