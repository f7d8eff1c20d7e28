package dev.rowlock.prover.engine;

import java.util.List;
import java.util.Optional;

/**
 * What an actor ended with.
 *
 * @param status how
 * @param sqlState of the error that ended it, if it was one
 * @param steps what each step did, in order
 */
public record ActorResult(Status status, Optional<String> sqlState, List<StepResult> steps) {
    /** How an actor ended. */
    public enum Status {
        /** It did all it wanted. */
        COMMITTED,
        /** An error of the database ended it; what it did was rolled back. */
        ABORTED,
        /** It stopped by itself because a count of rows was not what it had to be, and rolled back. */
        REJECTED,
    }

    public ActorResult {
        steps = List.copyOf(steps);
    }

    /**
     * What one step did.
     *
     * @param step its name
     * @param sql as sent, or empty if it was skipped
     * @param rows what it read, each row as its columns' texts; NULL is the text {@code NULL} without quotes
     * @param error what the database said, if it refused
     */
    public record StepResult(String step, String sql, List<List<String>> rows, Optional<String> error) {
        public StepResult {
            rows = rows.stream().map(List::copyOf).toList();
        }
    }
}
