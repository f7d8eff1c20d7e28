package dev.rowlock.prover.engine;

import java.util.List;
import java.util.Optional;

/**
 * What an actor ended with.
 *
 * @param status how
 * @param sqlState of the error that ended it, if it was one
 * @param value what it returned or threw, in words, where it is code and not a list of statements
 * @param steps what each step did, in order
 */
public record ActorResult(Status status, Optional<String> sqlState, Optional<String> value, List<StepResult> steps) {
    /** What {@link #value} begins with where the actor threw something. */
    public static final String THREW = "threw ";

    /** How an actor ended. */
    public enum Status {
        /** It did all it wanted. */
        COMMITTED,
        /** An error of the database ended it; what it did was rolled back. */
        ABORTED,
        /** It stopped by itself, because of what it found and not because the database refused, and undid what it had to. */
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
