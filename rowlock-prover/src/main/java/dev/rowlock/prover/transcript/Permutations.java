package dev.rowlock.prover.transcript;

import dev.rowlock.prover.scenario.PermutationSpec;
import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.StepSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/** The orders that a scenario's steps are started in: those that it lists, or all that keep each session's own order. */
final class Permutations {
    private final Scenario scenario;
    private final Map<String, PlannedStep> steps = new LinkedHashMap<>();

    Permutations(Scenario scenario) {
        this.scenario = scenario;
        for (int session = 0; session < scenario.sessions().size(); session++) {
            for (StepSpec step : scenario.sessions().get(session).steps()) {
                steps.put(
                        step.name(),
                        new PlannedStep(step.name(), session, step.sql().trimmed(), List.of()));
            }
        }
    }

    /** The index of the session that a step belongs to. */
    int sessionOf(String step) {
        return step(step).session();
    }

    /** Steps in no listed permutation, in the order of their bytes. */
    List<String> unused() {
        if (scenario.permutations().isEmpty()) {
            return List.of();
        }
        Set<String> unused = new HashSet<>(steps.keySet());
        scenario.permutations().forEach(listed -> listed.steps().forEach(step -> unused.remove(step.step())));
        return unused.stream()
                .sorted((one, other) -> Arrays.compareUnsigned(utf8(one), utf8(other)))
                .toList();
    }

    /** One after the other: all of them together may be more than memory holds. */
    void forEach(Consumer<List<PlannedStep>> action) {
        if (scenario.permutations().isEmpty()) {
            interleave(new int[scenario.sessions().size()], new ArrayList<>(), action);
        } else {
            scenario.permutations().forEach(listed -> action.accept(plan(listed)));
        }
    }

    private List<PlannedStep> plan(PermutationSpec listed) {
        return listed.steps().stream()
                .map(placed -> {
                    PlannedStep step = step(placed.step());
                    return new PlannedStep(step.name(), step.session(), step.sql(), placed.blockers());
                })
                .toList();
    }

    private void interleave(int[] taken, List<PlannedStep> order, Consumer<List<PlannedStep>> action) {
        if (order.size() == steps.size()) {
            action.accept(List.copyOf(order));
            return;
        }
        for (int session = 0; session < taken.length; session++) {
            List<StepSpec> own = scenario.sessions().get(session).steps();
            if (taken[session] < own.size()) {
                order.add(step(own.get(taken[session]).name()));
                taken[session]++;
                interleave(taken, order, action);
                taken[session]--;
                order.remove(order.size() - 1);
            }
        }
    }

    private PlannedStep step(String name) {
        return Objects.requireNonNull(steps.get(name), name);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
