package dev.rowlock.jobs;

import dev.rowlock.Rowlock;
import dev.rowlock.RowlockException;
import dev.rowlock.Tx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells workers that there is something to do: those of this process directly, others by NOTIFY. That is sent after the commit, in a
 * transaction of its own and at most once every {@link #QUIET}, never for each job: PostgreSQL lets transactions that notify commit one
 * at a time only. What is enqueued in between is found because a worker that was woken looks again after that time; what gets lost, by
 * polling.
 */
final class WakeUps {
    static final String CHANNEL = "rowlock_jobs";
    static final Duration QUIET = Duration.ofMillis(50);

    private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);

    private final Rowlock rowlock;
    private final boolean notify;
    private final List<Signal> local;
    private final LongSupplier nanoTime;
    private final AtomicLong notifiedAt;

    WakeUps(Rowlock rowlock, LongSupplier nanoTime) {
        this(rowlock, nanoTime, true, new CopyOnWriteArrayList<>());
    }

    private WakeUps(Rowlock rowlock, LongSupplier nanoTime, boolean notify, List<Signal> local) {
        this.rowlock = rowlock;
        this.nanoTime = nanoTime;
        this.notifiedAt = new AtomicLong(nanoTime.getAsLong() - QUIET.toNanos());
        this.notify = notify;
        this.local = local;
    }

    WakeUps withoutNotify() {
        return new WakeUps(rowlock, nanoTime, false, local);
    }

    void afterCommitOf(Tx tx, List<JobRequest> requests) {
        if (requests.stream().anyMatch(request -> request.delay().isZero())) {
            tx.afterCommit(this::wake);
        }
    }

    void wake() {
        wakeLocal();
        if (!notify) {
            return;
        }
        long now = nanoTime.getAsLong();
        long last = notifiedAt.get();
        if (now - last < QUIET.toNanos() || !notifiedAt.compareAndSet(last, now)) {
            return;
        }
        try {
            rowlock.query("SELECT pg_notify(?, '')", CHANNEL);
        } catch (RowlockException e) {
            LOG.warn("workers elsewhere could not be woken; they will find the jobs when they poll", e);
        }
    }

    void wakeLocal() {
        local.forEach(Signal::wake);
    }

    void add(Signal worker) {
        local.add(worker);
    }

    void remove(Signal worker) {
        local.remove(worker);
    }
}
