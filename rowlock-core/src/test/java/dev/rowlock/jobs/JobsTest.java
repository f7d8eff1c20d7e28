package dev.rowlock.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.DatabaseTest;
import dev.rowlock.RowlockSchema;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The queue from outside: enqueue, run, fail, requeue, list. */
class JobsTest extends DatabaseTest {
    private Jobs jobs;

    @BeforeEach
    void install() {
        RowlockSchema.install(rowlock);
        RowlockSchema.install(rowlock); // again without harm
        jobs = Jobs.over(rowlock);
    }

    private static void until(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(condition);
    }

    private long left() {
        return database.number("SELECT count(*) FROM rowlock_job");
    }

    @Test
    void jobRunsOnceItsTransactionHasCommitted() {
        Queue<String> ran = new ConcurrentLinkedQueue<>();
        try (Worker worker =
                jobs.worker().handle("mail", job -> ran.add(job.payload())).start()) {
            jobs.enqueue(JobRequest.of("mail", "7"));
            until(() -> left() == 0);
            assertThat(ran).containsExactly("7");
        }
    }

    @Test
    void jobOfARolledBackTransactionIsNotThere() {
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    jobs.enqueue(tx, JobRequest.of("mail", "7"));
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(left()).isZero();
    }

    @Test
    void jobsOfAGroupRunInOrderOneAtATime() {
        Queue<String> ran = new ConcurrentLinkedQueue<>();
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            jobs.enqueue(JobRequest.of("step", "" + i).inGroup("g").withPriority(9 - i % 10));
        }
        try (Worker worker = jobs.worker()
                .handle("step", job -> {
                    most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                    ran.add(job.payload());
                    atOnce.decrementAndGet();
                })
                .start()) {
            until(() -> left() == 0);
        }
        assertThat(ran)
                .containsExactlyElementsOf(
                        IntStream.range(0, 20).mapToObj(i -> "" + i).toList());
        assertThat(most).hasValue(1);
    }

    @Test
    void failedJobIsTriedAgainThenDeadThenRequeued() {
        AtomicInteger runs = new AtomicInteger();
        long id = jobs.enqueue(JobRequest.of("mail", "7").withMaxAttempts(2)).id();
        try (Worker worker = jobs.worker()
                .retryDelay(Duration.ofMillis(1), Duration.ofMillis(2))
                .handle("mail", job -> {
                    if (runs.incrementAndGet() <= 2) {
                        throw new IllegalStateException("attempt " + job.attempt());
                    }
                })
                .start()) {
            until(() ->
                    jobs.find(id).filter(job -> job.state() == JobState.DEAD).isPresent());
            assertThat(jobs.find(id).orElseThrow().lastError())
                    .hasValueSatisfying(error -> assertThat(error).contains("attempt 2"));
            assertThat(jobs.list("default", JobState.DEAD, 0, 10)).hasSize(1);
            assertThat(jobs.requeue(id)).isEqualTo(new Requeue.Requeued());
            until(() -> left() == 0);
        }
        assertThat(runs).hasValue(3);
        assertThat(jobs.requeue(id)).isEqualTo(new Requeue.Missing());
    }

    @Test
    void secondJobWithTheSameKeyIsADuplicate() {
        Enqueue first = jobs.enqueue(JobRequest.of("mail", "7").withUniqueKey("k"));
        assertThat(jobs.enqueue(JobRequest.of("mail", "8").withUniqueKey("k")))
                .isEqualTo(new Enqueue.Duplicate(first.id()));
        assertThat(jobs.enqueue(JobRequest.of("mail", "8").withUniqueKey("l"))).isInstanceOf(Enqueue.Enqueued.class);
        assertThat(jobs.requeue(first.id())).isEqualTo(new Requeue.NotDead(JobState.READY));
        assertThat(jobs.stats()).hasSize(1);
    }

    @Test
    void manyJobsCompletedInGroups() {
        AtomicInteger runs = new AtomicInteger();
        rowlock.run(tx -> jobs.enqueueAll(
                tx,
                IntStream.range(0, 1000)
                        .mapToObj(i -> JobRequest.of("n", "" + i))
                        .toList()));
        try (Worker worker = jobs.worker()
                .completeInGroups(100)
                .handle("n", job -> runs.incrementAndGet())
                .start()) {
            until(() -> left() == 0);
        }
        assertThat(runs).hasValue(1000);
    }

    @Test
    void stoppedWorkerGivesItsJobsBackWithNoAttemptLost() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        long id = jobs.enqueue(JobRequest.of("slow", "")).id();
        Worker worker = jobs.worker()
                .stopLimit(Duration.ZERO)
                .handle("slow", job -> {
                    begun.countDown();
                    new CountDownLatch(1).await();
                })
                .start();
        begun.await();
        worker.stop();
        JobInfo job = jobs.find(id).orElseThrow();
        assertThat(job.state()).isEqualTo(JobState.READY);
        assertThat(job.attempts()).isZero();
    }

    @Test
    void notificationFromElsewhereWakesAWorkerThatHardlyPolls() {
        try (Worker worker = jobs.worker()
                .pollInterval(Duration.ofMinutes(1))
                .listenOn(database.pool())
                .handle("mail", job -> {})
                .start()) {
            Jobs elsewhere = Jobs.over(rowlock);
            for (int i = 0; i < 3; i++) {
                elsewhere.enqueue(JobRequest.of("mail", "7"));
                until(() -> left() == 0);
            }
        }
    }
}
