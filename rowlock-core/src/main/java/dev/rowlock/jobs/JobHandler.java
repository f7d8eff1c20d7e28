package dev.rowlock.jobs;

/** Does the work of one type of job. Called in many threads at once. */
@FunctionalInterface
public interface JobHandler {
    /**
     * Does the work. It is called outside of any transaction. When it returns the job is done, unless it was completed already with
     * {@link Job#completeIn}; when it throws the job is tried again later, or dead if that was the last attempt.
     *
     * <p>A job runs at least once: again if the process dies or its lease ends before the completion is in the database. Effects
     * in the same database become exactly-once with {@link Job#completeIn}; others should be idempotent by {@link Job#id}.
     */
    void run(Job job) throws Exception;
}
