package dev.rowlock.jobs;

/** What became of a wish to run a dead job again. */
public sealed interface Requeue {
    /** It waits for a worker, with all its attempts before it; in its group it comes last. */
    record Requeued() implements Requeue {}

    /**
     * It is not dead; nothing was changed.
     *
     * @param state its state, read after the refusal
     */
    record NotDead(JobState state) implements Requeue {}

    /** Another job with the same unique key waits or runs; nothing was changed. */
    record KeyTaken() implements Requeue {}

    /** There is no such job: it never was, or it is done. */
    record Missing() implements Requeue {}
}
