package dev.rowlock.benchmarks;

import com.zaxxer.hikari.HikariDataSource;

/** A job queue on tables of its own, set up as its documentation says. A job is a number. */
interface JobQueue extends AutoCloseable {
    /** Drops what is there and makes empty tables. */
    void create(Database database) throws Exception;

    /** Durably enqueues jobs with the numbers from this one on. */
    void enqueue(int from, int jobs) throws Exception;

    /** Begins to run jobs, in threads of its own. */
    void start(Handler handler) throws Exception;

    /**
     * Counts the jobs that are not completed, whatever became of them. A queue that can, looks only at those from this number on, since
     * to count past what others have left behind beside a snapshot would take longer than running the jobs.
     */
    String left(int first);

    /** Counts the jobs that are kept as completed; empty if this queue keeps none. */
    default String completed() {
        return "";
    }

    /** Ends the worker, if there is one. The pool stays. */
    @Override
    void close() throws Exception;

    /** What a job does. */
    @FunctionalInterface
    interface Handler {
        void run(int job) throws Exception;
    }

    /** Connects a queue. */
    @FunctionalInterface
    interface Factory {
        JobQueue over(HikariDataSource pool) throws Exception;
    }
}
