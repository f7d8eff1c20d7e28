package dev.rowlock.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.DatabaseTest;
import dev.rowlock.Rowlock;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Session;
import dev.rowlock.Threads;
import dev.rowlock.jobs.JobRequest;
import dev.rowlock.jobs.Jobs;
import dev.rowlock.jobs.StaleJobException;
import dev.rowlock.jobs.Worker;
import dev.rowlock.jobs.WorkerBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Public reports of kinds F and I: queues, leases and outboxes, and work outside the database. */
class JobCasesTest extends DatabaseTest {
    private static final List<String> OFF = List.of(
            "enable_hashjoin",
            "enable_mergejoin",
            "enable_hashagg",
            "enable_sort",
            "enable_material",
            "enable_memoize",
            "enable_indexscan",
            "enable_indexonlyscan",
            "enable_bitmapscan");

    private Jobs jobs;

    JobCasesTest() {
        super("CREATE TABLE msg (id bigint PRIMARY KEY)", "CREATE TABLE effect (job bigint NOT NULL)");
    }

    @BeforeEach
    void install() {
        RowlockSchema.install(rowlock);
        jobs = Jobs.over(rowlock);
    }

    private void until(String condition) {
        Awaitility.await(condition)
                .atMost(Duration.ofSeconds(20))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> database.number("SELECT (" + condition + ")::int") == 1);
    }

    private void enqueue(int count) {
        rowlock.run(tx -> jobs.enqueueAll(
                tx,
                IntStream.range(0, count)
                        .mapToObj(i -> JobRequest.of("t", "" + i))
                        .toList()));
    }

    private WorkerBuilder worker() {
        return jobs.worker().concurrency(1).prefetch(0);
    }

    private static void claimAsReported(Session session, int expected) throws Exception {
        assertThat(session.run("""
                        UPDATE rowlock_job
                        SET state = 'running', lease_until = now() + interval '1 hour'
                        WHERE id IN (SELECT id
                                     FROM rowlock_job
                                     WHERE state = 'ready'
                                     LIMIT 1
                                     FOR UPDATE SKIP LOCKED)""")).isEqualTo(expected);
    }

    // C30
    @Test
    void limitOneTakesFiftyJobsUnderAHostilePlan() throws Exception {
        enqueue(50);
        try (Session session = Session.open(database)) {
            for (String setting : OFF) {
                session.run("SET " + setting + " = off");
            }
            claimAsReported(session, 50);
        }
    }

    // C30
    @Test
    void claimTakesNoMoreThanAskedUnderTheSamePlan() {
        enqueue(50);
        PGSimpleDataSource hostile = database.unpooled();
        hostile.setOptions("-c " + String.join("=off -c ", OFF) + "=off");
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        try (Worker worker = Jobs.over(Rowlock.over(hostile))
                .worker()
                .concurrency(1)
                .prefetch(0)
                .lease(Duration.ofHours(1))
                .handle("t", job -> {
                    begun.countDown();
                    Threads.await(end);
                })
                .start()) {
            Threads.await(begun);
            assertThat(database.number("SELECT count(*) FROM rowlock_job WHERE state = 'running'"))
                    .isEqualTo(1);
            end.countDown();
        }
    }

    // C31
    @Test
    void snapshotOlderThanTheLockShowsAJobThatIsDone() throws Exception {
        enqueue(1);
        try (Session a = Session.openAutoCommit(database);
                Session b = Session.openRepeatableRead(database)) {
            assertThat(a.read("SELECT pg_try_advisory_lock(1)")).isEqualTo(1);
            assertThat(b.read("SELECT 1")).isEqualTo(1);
            assertThat(a.run("DELETE FROM rowlock_job")).isEqualTo(1);
            a.run("SELECT pg_advisory_unlock(1)");
            assertThat(b.run("SELECT id FROM rowlock_job WHERE pg_try_advisory_lock(1) AND state = 'ready'"))
                    .isEqualTo(1);
        }
    }

    // C33
    @Test
    void formerOwnerStoresItsResultWithoutAFence() throws Exception {
        try (Session b = Session.openAutoCommit(database);
                Session a = Session.openAutoCommit(database)) {
            a.run("CREATE TABLE naive (id int, owner text, result text)");
            a.run("INSERT INTO naive VALUES (1, 'A')");
            b.run("UPDATE naive SET owner = 'B', result = 'B' WHERE id = 1");
            assertThat(a.run("UPDATE naive SET result = 'A-stale' WHERE id = 1"))
                    .isEqualTo(1);
        }
    }

    /** The first worker believes in its lease; the database gives the job to the second all the same. */
    // C33
    @Test
    void formerOwnerIsToldAndChangesNothing() throws Exception {
        AtomicReference<Throwable> told = new AtomicReference<>();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        enqueue(1);
        try (Worker first = worker().lease(Duration.ofHours(1))
                .handle("t", job -> {
                    begun.countDown();
                    Threads.await(goOn);
                    try {
                        rowlock.run(tx -> {
                            tx.query("INSERT INTO effect VALUES (1)");
                            job.completeIn(tx);
                        });
                    } catch (StaleJobException e) {
                        told.set(e);
                        throw e;
                    } finally {
                        ended.countDown();
                    }
                })
                .start()) {
            Threads.await(begun);
            CountDownLatch hold = new CountDownLatch(1);
            CountDownLatch second = new CountDownLatch(1);
            try (Worker other = worker().handle("t", job -> {
                        second.countDown();
                        Threads.await(hold);
                    })
                    .start()) {
                database.sql("UPDATE rowlock_job SET lease_until = now()");
                Threads.await(second);
                goOn.countDown();
                Threads.await(ended);
                assertThat(told.get()).isInstanceOf(StaleJobException.class);
                assertThat(database.number("SELECT count(*) FROM effect")).isZero();
                assertThat(database.number("SELECT fence FROM rowlock_job WHERE state = 'running'"))
                        .isEqualTo(2);
                hold.countDown();
                until("SELECT count(*) = 0 FROM rowlock_job");
            }
        }
    }

    // C33
    @Test
    void heartGoesOnBeatingUntilTheLastHandlerHasEnded() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Queue<String> runs = new ConcurrentLinkedQueue<>();
        enqueue(1);
        Worker first = worker().lease(Duration.ofMillis(600))
                .handle("t", job -> {
                    runs.add("first");
                    begun.countDown();
                    Threads.await(goOn);
                })
                .start();
        Threads.await(begun);
        try (Worker second = worker().handle("t", job -> runs.add("second")).start()) {
            Future<Boolean> stop = threads.start(() -> {
                first.stop();
                return true;
            });
            // Nobody has taken it, a whole lease and more after the stop began.
            long until = database.number("SELECT extract(epoch FROM lease_until) * 1000 FROM rowlock_job") + 1_200;
            until("SELECT extract(epoch FROM lease_until) * 1000 > " + until + " FROM rowlock_job");
            goOn.countDown();
            Threads.result(stop);
            until("SELECT count(*) = 0 FROM rowlock_job");
        }
        assertThat(runs).containsExactly("first");
    }

    // C34
    @Test
    void readerThatKeepsAnOffsetPassesAGap() throws Exception {
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            a.run("INSERT INTO msg VALUES (1)");
            b.run("INSERT INTO msg VALUES (2)");
            b.commit();
            assertThat(database.number("SELECT max(id) FROM msg")).isEqualTo(2);
            a.commit();
        }
        assertThat(database.number("SELECT count(*) FROM msg WHERE id > 2")).isZero();
    }

    // C34
    @Test
    void jobWhoseTransactionCommitsLateIsRun() throws Exception {
        Queue<String> ran = new ConcurrentLinkedQueue<>();
        try (Worker worker = worker().handle("t", job -> ran.add(job.payload())).start()) {
            rowlock.<Exception>run(tx -> {
                jobs.enqueue(tx, JobRequest.of("t", "early id"));
                Threads.result(threads.start(() -> jobs.enqueue(JobRequest.of("t", "late id"))));
                Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> ran.contains("late id"));
            });
            until("SELECT count(*) = 0 FROM rowlock_job");
        }
        assertThat(ran).containsExactly("late id", "early id");
    }

    // C35
    @Test
    void stateThatWasReadBeforeTheLockRunsTwice() throws Exception {
        enqueue(1);
        try (Session a = Session.open(database);
                Session b = Session.open(database)) {
            assertThat(a.read("SELECT count(*) FROM rowlock_job WHERE state = 'ready'"))
                    .isEqualTo(1);
            assertThat(b.read("SELECT count(*) FROM rowlock_job WHERE state = 'ready'"))
                    .isEqualTo(1);
            a.run("SELECT * FROM rowlock_job FOR UPDATE");
            a.run("UPDATE rowlock_job SET state = 'running', lease_until = now(), attempts = attempts + 1");
            Session.Step waits = b.begin("UPDATE rowlock_job SET attempts = attempts + 1");
            a.commit();
            assertThat(waits.result()).isEqualTo(1);
            b.commit();
        }
        assertThat(database.number("SELECT attempts FROM rowlock_job")).isEqualTo(2);
    }

    // C45
    @Test
    void jobIsNotSeenBeforeTheCommitAndNotLostAfterIt() throws Exception {
        Queue<Long> seen = new ConcurrentLinkedQueue<>();
        try (Worker worker = worker().handle(
                        "t", job -> seen.add(database.number("SELECT count(*) FROM msg WHERE id = " + job.payload())))
                .start()) {
            rowlock.<Exception>run(tx -> {
                tx.query("INSERT INTO msg VALUES (7)");
                jobs.enqueue(tx, JobRequest.of("t", "7"));
                // Another job goes through meanwhile, so the worker did look.
                Threads.result(threads.start(() -> jobs.enqueue(JobRequest.of("t", "8"))));
                Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> seen.size() == 1);
            });
            until("SELECT count(*) = 0 FROM rowlock_job");
        }
        assertThat(seen).containsExactlyElementsOf(List.of(0L, 1L));
    }

    // C45
    @Test
    void jobOfATransactionThatRollsBackNeverRuns() {
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    jobs.enqueue(tx, JobRequest.of("t", "7"));
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");
        assertThat(database.number("SELECT count(*) FROM rowlock_job")).isZero();
    }

    // C46
    @Test
    void handlerCallsOutWithNoTransactionOpenAndNoRowLocked() {
        Queue<Long> open = new ConcurrentLinkedQueue<>();
        Queue<Long> free = new ConcurrentLinkedQueue<>();
        enqueue(1);
        try (Worker worker = worker().handle("t", job -> {
                    open.add(database.number("SELECT count(*) FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND state LIKE 'idle in transaction%'"));
                    free.add(database.number(
                            "SELECT count(*) FROM (SELECT 1 FROM rowlock_job FOR UPDATE NOWAIT) AS held"));
                })
                .start()) {
            until("SELECT count(*) = 0 FROM rowlock_job");
        }
        assertThat(open).containsExactly(0L);
        assertThat(free).containsExactly(1L);
    }
}
