package dev.rowlock.jobs;

import dev.rowlock.RowlockException;

/**
 * The job is no longer this worker's: its lease ended and it was given to another, or is done. Thrown inside a unit of work, it
 * takes back everything that was done there. There is nothing for the handler to do but to let it pass.
 */
public final class StaleJobException extends RowlockException {
    private final long jobId;

    StaleJobException(Job job) {
        super(
                "job " + job.id() + " in rowlock_job is no longer held with fence " + job.fence()
                        + ": its lease ended and it was given to another worker, or it is done; stop working on it",
                null);
        this.jobId = job.id();
    }

    /** The job. */
    public long jobId() {
        return jobId;
    }
}
