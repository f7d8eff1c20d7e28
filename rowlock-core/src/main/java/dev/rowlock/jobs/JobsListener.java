package dev.rowlock.jobs;

import java.util.Optional;

/**
 * Hears what a worker does, for meters and logs. Called in the worker's threads, so be quick. What it throws is logged and otherwise
 * ignored.
 */
public interface JobsListener {
    /** Hears nothing. */
    JobsListener NONE = new JobsListener() {};

    /**
     * Jobs were claimed.
     *
     * @param jobs how many, at least 1
     * @param nanos how long the claim took in nanoseconds
     */
    default void onClaimed(String queue, int jobs, long nanos) {}

    /** An attempt has ended; see {@link Ended}. */
    default void onEnded(Ended ended) {}

    /**
     * Leases had ended and their jobs were made ready for others, or dead.
     *
     * @param jobs how many, at least 1
     */
    default void onTakenBack(String queue, int jobs) {}

    /** How an attempt ended. */
    enum Outcome {
        /** The job is done. */
        DONE,
        /** It failed and will be tried again. */
        RETRY,
        /** It failed and that was its last attempt. */
        DEAD,
        /** The worker no longer held the job when it wanted to report: nothing was changed. */
        STALE,
        /** The worker was stopped and gave the job back. */
        RELEASED,
        /** The end could not be reported to the database in time: the job will run again when its lease ends. */
        UNKNOWN,
    }

    /**
     * The end of an attempt.
     *
     * @param job the job
     * @param outcome how it ended
     * @param nanos how long the handler took in nanoseconds
     * @param failure what the handler threw, or why the end could not be reported
     */
    record Ended(Job job, Outcome outcome, long nanos, Optional<Throwable> failure) {}
}
