package dev.rowlock.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.DatabaseTest;
import dev.rowlock.Rowlock;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Session;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How jobs are ended in the database: by which index, and beside a row that somebody else holds. */
class CompletionTest extends DatabaseTest {
    private Jobs jobs;

    @BeforeEach
    void install() {
        RowlockSchema.install(rowlock);
        jobs = Jobs.over(rowlock).withoutNotify();
    }

    private void enqueue(int count) {
        rowlock.run(tx -> jobs.enqueueAll(
                tx,
                IntStream.rangeClosed(1, count)
                        .mapToObj(i -> JobRequest.of("t", "" + i))
                        .toList()));
    }

    /** The statistics know no job that runs, as when they were gathered at night, and the dead entries of those that ran stay. */
    @Test
    void heldJobsAreFoundByTheirIdsWhateverTheStatisticsSay() throws Exception {
        enqueue(1_000);
        enqueue(1_000);
        database.sql("ANALYZE rowlock_job");
        Claims claims = new Claims(rowlock, "default", List.of("t"), Duration.ofHours(1), System::nanoTime);
        JobStore store = new JobStore(rowlock, Duration.ofHours(1));
        try (Session old = Session.openRepeatableRead(database)) {
            assertThat(old.read("SELECT count(*) FROM rowlock_job")).isEqualTo(2_000);
            List<Claim> claimed = claims.claim(1_000);
            long before = entriesOfLeases();
            store.renew(claimed.subList(0, 100));
            assertThat(store.completeAll(claimed.subList(0, 100))).hasSize(100);
            assertThat(store.release(claimed.subList(100, 200))).hasSize(100);
            for (Claim claim : claimed.subList(200, 220)) {
                assertThat(store.complete(claim)).isEqualTo(Completion.DONE);
            }
            for (Claim claim : claimed.subList(220, 240)) {
                assertThat(store.fail(claim, Duration.ZERO, "")).isEqualTo(JobStore.Failure.RETRY);
            }
            assertThat(entriesOfLeases()).isEqualTo(before);
            assertThat(database.number("SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'rowlock_job'"))
                    .isLessThan(10_000);
        }
    }

    /** Read from the statistics once the sessions that were at work have handed in theirs. */
    private long entriesOfLeases() {
        rowlock.query("SELECT pg_stat_force_next_flush()");
        return database.number("""
                SELECT idx_tup_read
                FROM pg_stat_user_indexes
                WHERE indexrelname = 'rowlock_job_lease'""");
    }

    @Test
    void jobWhoseRowSomebodyHoldsDoesNotKeepTheOthersFromTheirEnd() throws Exception {
        enqueue(3);
        CountDownLatch claimed = new CountDownLatch(3);
        Map<String, CountDownLatch> mayEnd =
                Map.of("1", new CountDownLatch(1), "2", new CountDownLatch(1), "3", new CountDownLatch(1));
        Jobs impatient = Jobs.over(Rowlock.builder(database.pool())
                .lockTimeout(Duration.ofMillis(200))
                .build());
        try (Session holder = Session.open(database);
                Session longHolder = Session.open(database);
                Worker worker = impatient
                        .worker()
                        .concurrency(3)
                        .handle("t", job -> {
                            claimed.countDown();
                            mayEnd.get(job.payload()).await();
                        })
                        .start()) {
            claimed.await();
            holder.run("SELECT id FROM rowlock_job WHERE payload = '1' FOR KEY SHARE");
            longHolder.run("SELECT id FROM rowlock_job WHERE payload = '2' FOR KEY SHARE");
            mayEnd.get("1").countDown();
            database.awaitBlocked(1);
            // These two end while the first one's transaction is under way, so they go together.
            mayEnd.get("2").countDown();
            mayEnd.get("3").countDown();
            holder.commit();
            awaitLeft(List.of("2"));
            longHolder.commit();
            awaitLeft(List.of());
        }
    }

    private void awaitLeft(List<String> payloads) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> rowlock.query("SELECT payload FROM rowlock_job").stream()
                        .map(row -> row.getString("payload"))
                        .toList()
                        .equals(payloads));
    }
}
