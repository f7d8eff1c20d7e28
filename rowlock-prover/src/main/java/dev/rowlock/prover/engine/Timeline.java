package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.ActorResult.StepResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A schedule as people read it, moment by moment. A step that does not wait is one moment. One that waits is two: where it is
 * begun, and where it comes back, which is after the step that lets it go.
 */
public final class Timeline {
    private Timeline() {}

    /**
     * Something that happens to one actor.
     *
     * @param actor its number in the race
     * @param step the step's name
     * @param begins whether the step begins here; if not, it comes back here from waiting
     * @param ends whether the step ends here; if not, it begins to wait
     * @param waitsFor the numbers of the actors that it waits for, ascending; empty if it ends here
     * @param result what the step did; empty if nothing is known, as of an attempt that was begun again, or of a COMMIT
     * @param waiting the numbers of the other actors that wait meanwhile
     */
    public record Moment(
            int actor,
            String step,
            boolean begins,
            boolean ends,
            List<Integer> waitsFor,
            Optional<StepResult> result,
            Set<Integer> waiting) {
        public Moment {
            waitsFor = List.copyOf(waitsFor);
            waiting = Set.copyOf(waiting);
        }
    }

    /** The moments of a schedule, in order. */
    public static List<Moment> of(Execution execution) {
        List<Execution.Step> steps = execution.steps();
        List<Optional<StepResult>> results = results(execution);
        Set<Integer> waiting = new TreeSet<>();
        List<Moment> moments = new ArrayList<>();
        for (int now = 0; now < steps.size(); now++) {
            Execution.Step step = steps.get(now);
            boolean ends = step.backAt() == now;
            List<Integer> waitsFor =
                    ends ? List.of() : step.waitsFor().stream().sorted().toList();
            moments.add(new Moment(step.actor(), step.name(), true, ends, waitsFor, results.get(now), waiting));
            if (!ends) {
                waiting.add(step.actor());
            }
            for (int earlier = 0; earlier < now; earlier++) {
                Execution.Step waiter = steps.get(earlier);
                if (waiter.backAt() == now) {
                    waiting.remove(waiter.actor());
                    moments.add(new Moment(
                            waiter.actor(), waiter.name(), false, true, List.of(), results.get(earlier), waiting));
                }
            }
        }
        return moments;
    }

    /** What is known of the steps; of an actor that did not commit also that its COMMIT was not sent. */
    private static List<Optional<StepResult>> results(Execution execution) {
        List<Optional<StepResult>> results = execution.known();
        Set<Integer> over = new TreeSet<>();
        for (int i = results.size() - 1; i >= 0; i--) {
            Execution.Step step = execution.steps().get(i);
            boolean last = over.add(step.actor());
            ActorResult.Status status = execution.results().get(step.actor()).status();
            if (last && results.get(i).isEmpty() && status != ActorResult.Status.COMMITTED) {
                results.set(i, Optional.of(new StepResult(step.name(), "", List.of(), Optional.empty())));
            }
        }
        return results;
    }

    /** A step's SQL in one line, without the semicolon at its end; {@code (skipped)} if the step sent none. */
    public static String sql(StepResult result) {
        String sql = result.sql().strip().replaceAll("\\s+", " ").replaceFirst(" ?;$", "");
        return sql.isEmpty() ? "(skipped)" : sql;
    }

    /** How an actor ended, in words. */
    public static String end(ActorResult result) {
        return switch (result.status()) {
            case COMMITTED -> "committed";
            case REJECTED -> "rejected itself";
            case ABORTED ->
                "aborted" + result.sqlState().map(state -> " by " + state).orElse("");
        };
    }
}
