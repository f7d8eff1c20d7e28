package dev.rowlock.prover.scenario;

import java.util.List;

/**
 * One order in which PostgreSQL's tester would start the steps. A proof does not need it; a transcript follows it.
 *
 * @param steps at least one; need not hold every step of the scenario
 * @param position where the word {@code permutation} stands
 */
public record PermutationSpec(List<PermutationStep> steps, Position position) {

    /** Copies the list. */
    public PermutationSpec {
        steps = List.copyOf(steps);
    }
}
