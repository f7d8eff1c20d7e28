package dev.rowlock.prover.scenario;

import java.util.List;

/**
 * A step in its place in a permutation.
 *
 * @param step the name of a step of the scenario
 * @param blockers what must have happened before the step counts as finished; empty for most
 * @param position where the name stands
 */
public record PermutationStep(String step, List<Blocker> blockers, Position position) {

    /** Copies the list. */
    public PermutationStep {
        blockers = List.copyOf(blockers);
    }
}
