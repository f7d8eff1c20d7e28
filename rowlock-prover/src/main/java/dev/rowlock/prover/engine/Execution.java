package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.ActorResult.StepResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One schedule as it was run.
 *
 * @param steps in the order in which they were let go
 * @param results of the actors, in their order
 */
public record Execution(List<Step> steps, List<ActorResult> results) {
    private static final String QUERY_CANCELED = "57014";
    private static final String LOCK_NOT_AVAILABLE = "55P03";

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
     * @param backAt the place in {@link Execution#steps} of the step that it came back with: its own if it did not wait
     * @param ends whether no transaction of the actor was open any more when it came back
     */
    public record Step(int actor, String name, Set<Integer> waitsFor, int backAt, boolean ends) {
        public Step {
            waitsFor = Set.copyOf(waitsFor);
        }

        /** One after which a transaction is still open. */
        public Step(int actor, String name, Set<Integer> waitsFor, int backAt) {
            this(actor, name, waitsFor, backAt, false);
        }

        Step ending() {
            return new Step(actor, name, waitsFor, backAt, true);
        }

        Step backAt(int place) {
            return new Step(actor, name, waitsFor, place, ends);
        }
    }

    /** What each of {@link #steps} did, in the same order; one of which nothing is known did nothing. */
    public List<StepResult> inOrder() {
        List<Optional<StepResult>> known = known();
        List<StepResult> ordered = new ArrayList<>();
        for (int i = 0; i < known.size(); i++) {
            String name = steps.get(i).name();
            ordered.add(known.get(i).orElseGet(() -> new StepResult(name, "", List.of(), Optional.empty())));
        }
        return ordered;
    }

    /**
     * The same; empty for a step of which nothing is known. Actors tell of their last attempt only, so the steps of each are
     * paired with what it told from the end.
     */
    List<Optional<StepResult>> known() {
        List<Optional<StepResult>> known = new ArrayList<>(Collections.nCopies(steps.size(), Optional.empty()));
        for (int actor = 0; actor < results.size(); actor++) {
            List<StepResult> told = results.get(actor).steps();
            int next = told.size() - 1;
            for (int i = steps.size() - 1; i >= 0 && next >= 0; i--) {
                if (steps.get(i).actor() == actor
                        && steps.get(i).name().equals(told.get(next).step())) {
                    known.set(i, Optional.of(told.get(next)));
                    next--;
                }
            }
        }
        return known;
    }

    /** The name of the going on of a step whose statement was held inside the server. */
    static String finish(String step) {
        return "finish(" + step + ")";
    }

    /** The first step that a time-out ended; NOWAIT has the same SQLSTATE as {@code lock_timeout}, but never waits. */
    Optional<String> timedOut() {
        List<StepResult> ordered = inOrder();
        for (int i = 0; i < steps.size(); i++) {
            String error = ordered.get(i).error().orElse("");
            boolean waited = !steps.get(i).waitsFor().isEmpty();
            if (error.startsWith(QUERY_CANCELED) || (error.startsWith(LOCK_NOT_AVAILABLE) && waited)) {
                return Optional.of(steps.get(i).name());
            }
        }
        return Optional.empty();
    }

    /** How often another actor goes on than the one before, which is what makes a schedule hard to read. */
    public int switches() {
        int switches = 0;
        for (int i = 1; i < steps.size(); i++) {
            switches += steps.get(i).actor() == steps.get(i - 1).actor() ? 0 : 1;
        }
        return switches;
    }

    /** Whether any step had to wait for another actor. */
    boolean hasWait() {
        return steps.stream().anyMatch(step -> !step.waitsFor().isEmpty());
    }

    /** The names of the steps in order, as {@link ScenarioRace#schedule} takes them. */
    public String schedule() {
        return ScheduleText.write(steps.stream().map(Step::name).toList());
    }
}
