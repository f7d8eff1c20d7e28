package dev.rowlock.jobs;

/** Where a job stands. A job that is done is not in the table any more. */
public enum JobState {
    /** Waits: for a worker, for its time, for its next attempt, or for those before it in its group. */
    READY("ready"),
    /** A worker holds a lease on it. */
    RUNNING("running"),
    /** Has used up its attempts; stays until it is requeued. */
    DEAD("dead");

    private final String column;

    JobState(String column) {
        this.column = column;
    }

    String column() {
        return column;
    }

    static JobState of(String column) {
        for (JobState state : values()) {
            if (state.column.equals(column)) {
                return state;
            }
        }
        throw new IllegalStateException("a job is in the unknown state " + column);
    }
}
