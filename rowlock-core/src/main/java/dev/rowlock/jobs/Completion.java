package dev.rowlock.jobs;

/** Whether a worker that reported a job's end still held it. */
enum Completion {
    /** It did, and the job is done. */
    DONE,
    /** It did not: nothing was changed. */
    STALE;

    static Completion of(boolean held) {
        return held ? DONE : STALE;
    }
}
