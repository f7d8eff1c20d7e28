package dev.rowlock.benchmarks;

import java.time.Duration;
import ru.yoomoney.tech.dbqueue.settings.ProcessingMode;

/** Whose workers are killed, each with the settings that make it notice the soonest. Both processes know them by name. */
enum TakeOverKind {
    /** All defaults. */
    ROWLOCK("Jobs, defaults", false),
    /** Four missed heartbeats are the fewest it takes (SchedulerBuilder); it looks for dead ones every second heartbeat. */
    DB_SCHEDULER("db-scheduler, heartbeat 1 s", false),
    /** It names no shortest heartbeat, so here is one as often as Rowlock prolongs its leases. */
    DB_SCHEDULER_OFTEN("db-scheduler, heartbeat 0.3 s", false),
    /** Without a sign of life a task is run again after this time whether or not it still runs, so it must be longer than any task. */
    DB_QUEUE("db-queue, retry after 10 s", true),
    /** The server ends the transaction, and the row is free, as soon as the killed process's connection is closed. */
    DB_QUEUE_TRANSACTION("db-queue, transaction held", false),
    /** Checks in every second, and counts an instance as dead 7.5 s later than that (JobStoreSupport). */
    QUARTZ("Quartz", true),
    /** Four polls of 5 s each, the least it takes. */
    JOBRUNR("JobRunr", true);

    /** In hand when the process dies: as many as a worker of Rowlock runs at once by default. */
    static final int JOBS = 8;

    private static final Duration RETRY = Duration.ofSeconds(10);

    private final String entrant;
    private final boolean slow;

    TakeOverKind(String entrant, boolean slow) {
        this.entrant = entrant;
        this.slow = slow;
    }

    String entrant() {
        return entrant;
    }

    JobQueue.Factory factory() {
        return switch (this) {
            case ROWLOCK -> RowlockQueue.with(worker -> worker);
            case DB_SCHEDULER -> dbScheduler(Duration.ofSeconds(1));
            case DB_SCHEDULER_OFTEN -> dbScheduler(Duration.ofMillis(300));
            case DB_QUEUE -> DbQueueQueue.with(JOBS, ProcessingMode.SEPARATE_TRANSACTIONS, RETRY);
            case DB_QUEUE_TRANSACTION -> DbQueueQueue.with(JOBS, ProcessingMode.WRAP_IN_TRANSACTION, RETRY);
            case QUARTZ -> QuartzQueue.with(JOBS);
            case JOBRUNR -> JobRunrQueue.with(JOBS);
        };
    }

    private static JobQueue.Factory dbScheduler(Duration heartbeat) {
        return DbSchedulerQueue.with(builder -> builder.threads(JOBS)
                .pollingInterval(DbSchedulerQueue.POLL)
                .pollUsingLockAndFetch(0.5, 1.0)
                .heartbeatInterval(heartbeat)
                .missedHeartbeatsLimit(4));
    }

    /** Whether it takes many seconds. */
    boolean slow() {
        return slow;
    }
}
