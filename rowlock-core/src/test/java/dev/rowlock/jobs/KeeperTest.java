package dev.rowlock.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.DatabaseTest;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Session;
import dev.rowlock.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The heartbeat beside a database that stands still for a while. */
class KeeperTest extends DatabaseTest {
    private static final Duration LEASE = Duration.ofMillis(1_200);

    private final AtomicLong clock = new AtomicLong();

    private WorkerSettings settings() {
        return new WorkerSettings(
                "default",
                Map.of("t", job -> {}),
                2,
                0,
                LEASE,
                Duration.ofMillis(250),
                new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1), () -> 0.5),
                1,
                Duration.ZERO,
                Optional.empty(),
                Thread::new,
                new SafeJobsListener(JobsListener.NONE),
                clock::get);
    }

    /** One lease is due and the other is not; while the first one's renewal hangs, the other one runs out. */
    @Test
    void whatRunsOutWhileARenewalHangsIsRenewedAndNotTakenBack() throws Exception {
        RowlockSchema.install(rowlock);
        Jobs jobs = Jobs.over(rowlock).withoutNotify();
        jobs.enqueue(JobRequest.of("t", "due"));
        jobs.enqueue(JobRequest.of("t", "not due"));
        Claims claims = new Claims(rowlock, "default", List.of("t"), LEASE, clock::get);
        List<Claim> claimed = claims.claim(2);
        Job due = new Job(claimed.get(0), clock::get, LEASE.toNanos() / 2);
        Job notDue = new Job(claimed.get(1), clock::get, LEASE.toNanos());
        Keeper keeper = new Keeper(
                new JobStore(rowlock, LEASE),
                new Leases(rowlock, "default", clock::get),
                claims,
                settings(),
                () -> List.of(due, notDue),
                new Signal(clock::get));
        try (Session still = Session.open(database)) {
            still.run("LOCK TABLE rowlock_job IN ACCESS EXCLUSIVE MODE");
            Future<Boolean> beating = threads.start(() -> {
                keeper.run();
                return true;
            });
            database.awaitBlocked(1);
            clock.set(LEASE.toNanos() * 3 / 4);
            still.run("UPDATE rowlock_job SET lease_until = now() - interval '1 minute' WHERE payload = 'not due'");
            still.commit();
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> database.number("""
                            SELECT count(*)
                            FROM rowlock_job
                            WHERE lease_until <= now()""") == 0);
            keeper.stop();
            assertThat(Threads.result(beating)).isTrue();
        }
        assertThat(jobs.list("default", JobState.RUNNING, 0, 10)).hasSize(2);
        assertThat(notDue.isLeaseLost()).isFalse();
    }
}
