package dev.rowlock.prover.engine;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One schedule as it was run.
 *
 * @param steps in the order in which they were let go
 * @param results of the actors, in their order
 */
public record Execution(List<Step> steps, List<ActorResult> results) {
    public Execution {
        steps = List.copyOf(steps);
        results = List.copyOf(results);
    }

    /**
     * One step.
     *
     * @param actor its actor's number in the race
     * @param name its name
     * @param waitsFor the actors it had to wait for when it was begun
     */
    public record Step(int actor, String name, Set<Integer> waitsFor) {
        public Step {
            waitsFor = Set.copyOf(waitsFor);
        }
    }

    /** How often another actor goes on than the one before, which is what makes a schedule hard to read. */
    public int switches() {
        int switches = 0;
        for (int i = 1; i < steps.size(); i++) {
            switches += steps.get(i).actor() == steps.get(i - 1).actor() ? 0 : 1;
        }
        return switches;
    }

    /** The names of the steps in order. */
    public String schedule() {
        return steps.stream().map(Step::name).collect(Collectors.joining(" "));
    }
}
