package dev.rowlock.jobs;

import dev.rowlock.Isolation;
import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import dev.rowlock.Tx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A durable job queue in the table {@code rowlock_job} of the same database (see {@link dev.rowlock.RowlockSchema}). Immutable and
 * thread-safe.
 *
 * <pre>{@code
 * Jobs jobs = Jobs.over(rowlock);
 * rowlock.run(tx -> {
 *     tx.insert(ORDERS).set("id", 7).apply();
 *     jobs.enqueue(tx, JobRequest.of("mail", "order 7"));        // there if and only if the order is
 * });
 * Worker worker = jobs.worker()
 *     .handle("mail", job -> mailer.send(job.payload()))
 *     .start();
 * }</pre>
 *
 * <p>Jobs are enqueued in the caller's transaction, which makes the queue an outbox: no worker sees a job before the commit, and none
 * is lost after it.
 */
public final class Jobs {
    private static final int MOST_LISTED = 1_000;
    private static final String COLUMNS = """
            id, queue, type, payload, state, priority, run_at, group_key, unique_key, attempts, max_attempts,
            lease_until, last_error, enqueued_at""";

    private final Rowlock rowlock;
    private final WakeUps wakeUps;

    private Jobs(Rowlock rowlock, WakeUps wakeUps) {
        this.rowlock = rowlock;
        this.wakeUps = wakeUps;
    }

    /** The queue in the first schema of the search path. Does not connect yet. */
    public static Jobs over(Rowlock rowlock) {
        return new Jobs(rowlock, new WakeUps(rowlock.withIsolation(Isolation.READ_COMMITTED), System::nanoTime));
    }

    /**
     * The same, but never sending NOTIFY: workers of this process are woken directly, others find jobs when they poll. For programs
     * without other workers, and for races in the prover, where a statement that is sent now and then is out of place.
     */
    public Jobs withoutNotify() {
        return new Jobs(rowlock, wakeUps.withoutNotify());
    }

    /**
     * Enqueues a job in the caller's transaction, in one round trip.
     *
     * @throws dev.rowlock.LockTimeoutException if another transaction that enqueues into the same group, or with the same unique key,
     *     takes longer than the lock timeout to end
     */
    public Enqueue enqueue(Tx tx, JobRequest request) {
        return enqueueAll(tx, List.of(request)).get(0);
    }

    /**
     * Enqueues jobs in the caller's transaction, in one round trip; otherwise as {@link #enqueue(Tx, JobRequest)}.
     *
     * @return what became of each, in their order
     * @throws IllegalArgumentException if there are more than 1,000
     */
    public List<Enqueue> enqueueAll(Tx tx, List<JobRequest> requests) {
        List<Enqueue> results = Enqueuer.enqueue(tx, requests);
        wakeUps.afterCommitOf(tx, requests);
        return results;
    }

    /** Enqueues a job in a unit of work of its own, or in the one that is open in this thread. */
    public Enqueue enqueue(JobRequest request) {
        return rowlock.call(tx -> enqueue(tx, request));
    }

    /** Begins a worker, which runs jobs. */
    public WorkerBuilder worker() {
        return new WorkerBuilder(rowlock.withIsolation(Isolation.READ_COMMITTED), wakeUps);
    }

    /** The job, if it is there: one that is done is not. */
    public Optional<JobInfo> find(long id) {
        return rowlock.query("SELECT " + COLUMNS + " FROM rowlock_job WHERE id = ?", id).stream()
                .map(JobInfo::of)
                .findFirst();
    }

    /**
     * A page of the jobs of a queue in one state, by id.
     *
     * @param afterId the last id of the page before, or 0
     * @param limit from 1 to 1,000
     */
    public List<JobInfo> list(String queue, JobState state, long afterId, int limit) {
        Checks.range("limit", limit, 1, MOST_LISTED);
        return rowlock.query("SELECT " + COLUMNS + """

                        FROM rowlock_job
                        WHERE queue = ?
                          AND state = ?
                          AND id > ?
                        ORDER BY id
                        LIMIT ?""", queue, state.column(), afterId, limit).stream()
                .map(JobInfo::of)
                .toList();
    }

    /** How each queue stands that has any jobs, by name. Reads the whole table: ask every few seconds, not for every request. */
    public List<QueueStats> stats() {
        return rowlock.query("""
                SELECT queue,
                       count(*) FILTER (WHERE state = 'ready' AND run_at <= now()) AS due,
                       count(*) FILTER (WHERE state = 'ready' AND run_at > now()) AS scheduled,
                       count(*) FILTER (WHERE state = 'running') AS running,
                       count(*) FILTER (WHERE state = 'dead') AS dead,
                       coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE state = 'ready' AND run_at <= now())), 0)
                           AS oldest_seconds
                FROM rowlock_job
                GROUP BY queue
                ORDER BY queue""").stream().map(Jobs::statsOf).toList();
    }

    private static QueueStats statsOf(Row row) {
        return new QueueStats(
                row.getString("queue"),
                row.getLong("due"),
                row.getLong("scheduled"),
                row.getLong("running"),
                row.getLong("dead"),
                Duration.ofMillis(
                        row.getBigDecimal("oldest_seconds").movePointRight(3).longValue()));
    }

    /**
     * Lets a dead job be run again, as if it had just been enqueued. A unit of work by itself, or part of the one that is open in
     * this thread; there, {@link Requeue.KeyTaken} by a job that is being enqueued at the same time is a
     * {@link dev.rowlock.DatabaseException} instead.
     */
    public Requeue requeue(long id) {
        Requeue result = new Requeuer(rowlock).requeue(id);
        if (result instanceof Requeue.Requeued) {
            wakeUps.wakeLocal();
        }
        return result;
    }
}
