package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.ActorResult.StepResult;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
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

    /** What each of {@link #steps} did, in the same order; one of which nothing is known did nothing. */
    public List<StepResult> inOrder() {
        List<Iterator<StepResult>> left = new ArrayList<>();
        results.forEach(result -> left.add(result.steps().iterator()));
        List<StepResult> ordered = new ArrayList<>();
        for (Step step : steps) {
            Iterator<StepResult> own = left.get(step.actor());
            StepResult next = own.hasNext() ? own.next() : nothing(step);
            ordered.add(next.step().equals(step.name()) ? next : nothing(step));
        }
        return ordered;
    }

    private static StepResult nothing(Step step) {
        return new StepResult(step.name(), "", List.of(), Optional.empty());
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
