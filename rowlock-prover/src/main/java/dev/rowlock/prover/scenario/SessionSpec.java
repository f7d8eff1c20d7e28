package dev.rowlock.prover.scenario;

import java.util.List;
import java.util.Optional;

/**
 * What one connection does.
 *
 * @param name unique among the sessions
 * @param transaction whether one transaction is around all the steps; if not, the steps begin and end their own
 * @param isolation the level that its transactions run at, where the session names one
 * @param attempts how often the whole session is tried in all when it ends by 40001 or 40P01: the N of {@code retry N}, else 1
 * @param setup what runs on the connection before the steps
 * @param steps at least one
 * @param teardown what runs on the connection after the steps
 * @param position where the session's name stands
 */
public record SessionSpec(
        String name,
        boolean transaction,
        Optional<IsolationLevel> isolation,
        int attempts,
        Optional<SqlBlock> setup,
        List<StepSpec> steps,
        Optional<SqlBlock> teardown,
        Position position) {

    /** The most attempts that {@code retry N} may ask for. */
    public static final int MAX_ATTEMPTS = 100;

    /** Copies the list. */
    public SessionSpec {
        steps = List.copyOf(steps);
    }
}
