package dev.rowlock.prover.scenario;

import java.util.List;
import java.util.Optional;

/**
 * A scenario as its file describes it: the data, the sessions and what must hold.
 *
 * @param name what it was read under; for a file its path
 * @param setups what makes the data, block by block
 * @param teardown what removes them
 * @param sessions at least one
 * @param permutations the orders that the file lists, for transcripts; empty means all
 * @param invariants what must be true after every schedule
 * @param ignored the columns left out of every comparison
 * @param observe what makes two outcomes different
 */
public record Scenario(
        String name,
        List<SqlBlock> setups,
        Optional<SqlBlock> teardown,
        List<SessionSpec> sessions,
        List<PermutationSpec> permutations,
        List<InvariantSpec> invariants,
        List<ColumnRef> ignored,
        Observation observe) {

    /** Copies the lists. */
    public Scenario {
        setups = List.copyOf(setups);
        sessions = List.copyOf(sessions);
        permutations = List.copyOf(permutations);
        invariants = List.copyOf(invariants);
        ignored = List.copyOf(ignored);
    }
}
