package dev.rowlock.jobs;

/** What became of a request for a job. */
public sealed interface Enqueue {
    /** The job that does what was asked for: the new one, or the one that was there. */
    long id();

    /**
     * A new job is in the queue as soon as the caller's transaction commits.
     *
     * @param id its id
     */
    record Enqueued(long id) implements Enqueue {}

    /**
     * A job with the same unique key waits or runs already; nothing was added.
     *
     * @param id of that job, which may be done before the caller looks
     */
    record Duplicate(long id) implements Enqueue {}
}
