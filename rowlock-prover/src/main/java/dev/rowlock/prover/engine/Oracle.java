package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.ActorResult.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Knows what the serial orders of a race come to, and judges schedules by it. */
final class Oracle {
    private static final String DEADLOCK = "40P01";
    private static final String SERIALIZATION_FAILURE = "40001";

    private final Control control;
    private final RaceSpec race;
    private final Runner runner;
    private final Map<Set<Integer>, Set<Outcome>> serial = new HashMap<>();
    private final Set<String> serialValues = new HashSet<>();

    Oracle(Control control, RaceSpec race, Runner runner) {
        this.control = control;
        this.race = race;
        this.runner = runner;
    }

    /**
     * What a schedule is.
     *
     * @param outcome what it came to
     * @param serial whether some serial order of the actors that did not abort comes to the same
     * @param broken the invariants that do not hold after it
     * @param aborted whether an actor ended by 40001 or 40P01
     * @param deadlock whether an actor ended by 40P01
     * @param unexpected what actors threw that none throws in a serial order
     */
    record Judgement(
            Outcome outcome,
            boolean serial,
            List<String> broken,
            boolean aborted,
            boolean deadlock,
            List<String> unexpected) {
        boolean violates() {
            return !serial || !broken.isEmpty();
        }
    }

    /** Judges the schedule that was just run: its data must still be there. */
    Judgement judge(Execution execution) {
        Map<String, String> data = control.data(race.ignored());
        List<String> broken = race.invariants().entrySet().stream()
                .filter(invariant -> !control.holds(invariant.getValue()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        Set<Integer> survivors = survivors(execution);
        Outcome outcome = Outcome.of(race, survivors, execution, data);
        return new Judgement(
                outcome,
                serial(survivors).contains(outcome),
                broken,
                endedBy(execution, Set.of(DEADLOCK, SERIALIZATION_FAILURE)),
                endedBy(execution, Set.of(DEADLOCK)),
                execution.results().stream()
                        .filter(result -> result.status() != Status.ABORTED)
                        .flatMap(result -> result.value().stream())
                        .filter(value -> value.startsWith(ActorResult.THREW) && !serialValues.contains(value))
                        .toList());
    }

    /** The actors that did not abort, by number. */
    static Set<Integer> survivors(Execution execution) {
        Set<Integer> survivors = new TreeSet<>();
        for (int i = 0; i < execution.results().size(); i++) {
            if (execution.results().get(i).status() != Status.ABORTED) {
                survivors.add(i);
            }
        }
        return survivors;
    }

    private static boolean endedBy(Execution execution, Set<String> states) {
        return execution.results().stream()
                .map(ActorResult::sqlState)
                .flatMap(Optional::stream)
                .anyMatch(states::contains);
    }

    /** What these actors come to one after the other, in each order; found out once for each set of actors. */
    private Set<Outcome> serial(Set<Integer> actors) {
        Set<Outcome> known = serial.get(actors);
        if (known == null) {
            known = new HashSet<>();
            for (List<Integer> order : orders(new ArrayList<>(actors))) {
                known.add(serialOutcome(actors, order));
            }
            serial.put(actors, known);
        }
        return known;
    }

    private Outcome serialOutcome(Set<Integer> actors, List<Integer> order) {
        List<Program> programs = order.stream().map(race.programs()::get).toList();
        // The lowest number goes first until it is done, so the order of the list is the serial order.
        Execution execution = runner.run(
                        programs, enabled -> enabled.keySet().iterator().next())
                .orElseThrow(() -> new IllegalStateException("a serial order is never cut short"));
        execution.results().forEach(result -> result.value().ifPresent(serialValues::add));
        ActorResult[] results = new ActorResult[race.programs().size()];
        ActorResult absent = new ActorResult(Status.ABORTED, Optional.empty(), Optional.empty(), List.of());
        for (int i = 0; i < results.length; i++) {
            results[i] = order.contains(i) ? execution.results().get(order.indexOf(i)) : absent;
        }
        return Outcome.of(
                race, actors, new Execution(execution.steps(), List.of(results)), control.data(race.ignored()));
    }

    private static List<List<Integer>> orders(List<Integer> actors) {
        if (actors.isEmpty()) {
            return List.of(List.of());
        }
        List<List<Integer>> all = new ArrayList<>();
        for (Integer first : actors) {
            List<Integer> rest = new ArrayList<>(actors);
            rest.remove(first);
            for (List<Integer> order : orders(rest)) {
                List<Integer> whole = new ArrayList<>(List.of(first));
                whole.addAll(order);
                all.add(whole);
            }
        }
        return all;
    }
}
