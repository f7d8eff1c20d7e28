package dev.rowlock.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.DatabaseTest;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Session;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where claims begin to look, and that nothing is ever skipped for good. */
class ClaimStartTest extends DatabaseTest {
    private final AtomicLong clock = new AtomicLong(1);
    private Jobs jobs;
    private Claims claims;

    @BeforeEach
    void install() {
        RowlockSchema.install(rowlock);
        jobs = Jobs.over(rowlock).withoutNotify();
        claims = new Claims(rowlock, "default", List.of("t"), Duration.ofHours(1), clock::get);
    }

    private void enqueue(int count) {
        rowlock.run(tx -> jobs.enqueueAll(
                tx,
                IntStream.range(0, count)
                        .mapToObj(i -> JobRequest.of("t", "" + i))
                        .toList()));
    }

    private List<String> claim(int limit) {
        return claims.claim(limit).stream().map(Claim::payload).toList();
    }

    /** Its time stands still, so after the first one no claim looks from the front. */
    @Test
    void jobOfATransactionThatWasOpenAtTheClaimBeforeIsFound() throws Exception {
        enqueue(10);
        try (Session late = Session.open(database)) {
            late.run("""
                    INSERT INTO rowlock_job (queue, type, payload, priority, run_at, max_attempts)
                    VALUES ('default', 't', 'late', 5, clock_timestamp(), 9)""");
            enqueue(10);
            assertThat(claim(20)).hasSize(20);
            assertThat(claim(20)).isEmpty();
            late.commit();
        }
        assertThat(claim(20)).containsExactly("late");
    }

    @Test
    void jobThatTurnsUpFarBehindIsFoundFromTheFront() {
        enqueue(10);
        assertThat(claim(5)).hasSize(5);
        database.sql("""
                INSERT INTO rowlock_job (queue, type, payload, priority, run_at, max_attempts)
                VALUES ('default', 't', 'far behind', 5, '2026-01-01', 9)""");
        assertThat(claim(5)).doesNotContain("far behind").hasSize(5);
        clock.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(claim(5)).containsExactly("far behind");
    }

    @Test
    void moreUrgentJobThatComesLaterGoesFirst() {
        enqueue(10);
        assertThat(claim(5)).hasSize(5);
        jobs.enqueue(JobRequest.of("t", "urgent").withPriority(0));
        assertThat(claim(1)).containsExactly("urgent");
    }

    @Test
    void delayedJobIsFoundWhenItsTimeHasCome() {
        jobs.enqueue(JobRequest.of("t", "later").delayedBy(Duration.ofDays(1)));
        enqueue(2);
        assertThat(claim(5)).hasSize(2);
        database.sql("UPDATE rowlock_job SET run_at = now() WHERE state = 'ready'");
        assertThat(claim(5)).containsExactly("later");
    }

    @Test
    void claimsDoNotScanAgainWhatAnOldSnapshotKeeps() throws Exception {
        try (Session old = Session.openRepeatableRead(database)) {
            assertThat(old.read("SELECT count(*) FROM rowlock_job")).isZero();
            JobStore store = new JobStore(rowlock, Duration.ofHours(1));
            for (int round = 0; round < 5; round++) {
                // Far enough back that it counts as settled.
                database.sql("""
                        INSERT INTO rowlock_job (queue, type, payload, priority, run_at, max_attempts)
                        SELECT 'default', 't', '', 5, now() - interval '1 day' + interval '1 hour' * %d, 9
                        FROM generate_series(1, 1000)""".formatted(round));
                List<Claim> taken = claims.claim(1_000);
                assertThat(taken).hasSize(1_000);
                store.completeAll(taken);
            }
            enqueue(1);
            assertThat(claim(1)).hasSize(1);
            // Each entry was read about once; from the front it would have been 1,000 + 2,000 + … + 5,000.
            assertThat(entriesOnceThereAre(5_001)).isLessThan(5_200);
            enqueue(1);
            clock.addAndGet(Duration.ofMinutes(1).toNanos());
            assertThat(claim(1)).hasSize(1);
            assertThat(entriesOnceThereAre(10_000)).isLessThan(10_400);
        }
    }

    /** The server's own count of index entries read, which sessions hand in with a delay. */
    private long entriesOnceThereAre(long least) {
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> entries() >= least);
        return entries();
    }

    private long entries() {
        rowlock.query(
                "SELECT pg_stat_force_next_flush()"); // on the connection that claims: the pool lends a thread the same
        // again
        return database.number("""
                SELECT idx_tup_read
                FROM pg_stat_user_indexes
                WHERE indexrelname = 'rowlock_job_ready'""");
    }
}
