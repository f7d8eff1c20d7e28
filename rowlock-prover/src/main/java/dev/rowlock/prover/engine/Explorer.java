package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.ActorResult.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Runs all schedules of a race depth first and compares each outcome with those of the serial orders of the actors that did not
 * abort. Nothing is left out: every choice at every point is taken.
 */
public final class Explorer {
    private static final String DEADLOCK = "40P01";
    private static final String SERIALIZATION_FAILURE = "40001";

    private final Control control;
    private final Race race;
    private final Limits limits;
    private final Controller controller;
    private final Map<Set<Integer>, Set<Outcome>> serial = new HashMap<>();
    private final Map<Outcome, Tally> outcomes = new LinkedHashMap<>();
    private long schedules;
    private long violating;
    private long aborted;
    private long deadlocks;
    private Verdict.@Nullable Violated worst;

    /**
     * How far to go.
     *
     * @param maxSchedules no more than this many are run
     * @param time no schedule is begun later than this after the first
     * @param step how long one step may take that waits for no other actor
     * @param allowDeadlocks whether a deadlock that reaches an actor's end is only counted
     */
    public record Limits(long maxSchedules, Duration time, Duration step, boolean allowDeadlocks) {}

    private static final class Tally {
        private long count;
        private boolean serial;
        private boolean violates;
    }

    /** An explorer of one race; good for one exploration. */
    public Explorer(Control control, Race race, Limits limits) {
        this.control = control;
        this.race = race;
        this.limits = limits;
        this.controller = new Controller(control, limits.step());
    }

    /** Explores. */
    public Report explore() {
        long begin = System.nanoTime();
        DepthFirst search = new DepthFirst(race);
        List<String> reasons = new ArrayList<>();
        boolean more = true;
        while (more) {
            if (schedules >= limits.maxSchedules()) {
                reasons.add("the budget of " + limits.maxSchedules() + " schedules is used up");
                break;
            }
            if (System.nanoTime() - begin > limits.time().toNanos()) {
                reasons.add("the time of " + limits.time().toSeconds() + " s is used up");
                break;
            }
            judge(run(race.programs(), search));
            more = search.advance();
        }
        return report(reasons);
    }

    private Execution run(List<Program> programs, Controller.Chooser chooser) {
        control.reset(race.setups());
        return controller.run(programs, chooser);
    }

    private void judge(Execution execution) {
        SortedMap<String, String> data = control.data(race.ignored());
        List<String> broken = race.invariants().entrySet().stream()
                .filter(invariant -> !control.holds(invariant.getValue()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        Set<Integer> survivors = survivors(execution);
        Outcome outcome = Outcome.of(race, survivors, execution, data);
        boolean isSerial = serial(survivors).contains(outcome);
        boolean isDeadlock = endedBy(execution, Set.of(DEADLOCK));
        boolean violates = !isSerial || !broken.isEmpty();
        schedules++;
        violating += violates ? 1 : 0;
        aborted += endedBy(execution, Set.of(DEADLOCK, SERIALIZATION_FAILURE)) ? 1 : 0;
        deadlocks += isDeadlock ? 1 : 0;
        Tally tally = outcomes.computeIfAbsent(outcome, any -> new Tally());
        tally.count++;
        tally.serial |= isSerial;
        tally.violates |= violates;
        if (violates || (isDeadlock && !limits.allowDeadlocks())) {
            keepWorst(new Verdict.Violated(execution, anomaly(isSerial, broken), why(isSerial, broken)));
        }
    }

    private static Verdict.Anomaly anomaly(boolean isSerial, List<String> broken) {
        if (!isSerial) {
            return Verdict.Anomaly.NON_SERIALIZABLE;
        }
        return broken.isEmpty() ? Verdict.Anomaly.DEADLOCK : Verdict.Anomaly.BROKEN_INVARIANT;
    }

    private static String why(boolean isSerial, List<String> broken) {
        if (!broken.isEmpty()) {
            return "it does not hold that " + String.join("; ", broken);
        }
        return isSerial ? "a deadlock reaches the caller" : "no serial order comes to this outcome";
    }

    private void keepWorst(Verdict.Violated found) {
        Comparator<Verdict.Violated> readability =
                Comparator.comparingInt(v -> v.execution().switches());
        if (worst == null || readability.compare(found, worst) < 0) {
            worst = found;
        }
    }

    private static Set<Integer> survivors(Execution execution) {
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
        Execution execution =
                run(programs, enabled -> enabled.keySet().iterator().next());
        ActorResult[] results = new ActorResult[race.programs().size()];
        ActorResult absent = new ActorResult(Status.ABORTED, Optional.empty(), List.of());
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

    private Report report(List<String> reasons) {
        boolean exhaustive = reasons.isEmpty();
        Verdict verdict = worst != null ? worst : exhaustive ? new Verdict.Proved() : new Verdict.Undecided(reasons);
        List<Report.Counted> counted = outcomes.entrySet().stream()
                .map(e -> new Report.Counted(
                        e.getKey().text(), e.getValue().count, e.getValue().serial, e.getValue().violates))
                .sorted(Comparator.comparingLong(Report.Counted::count).reversed())
                .toList();
        return new Report(verdict, schedules, Optional.empty(), exhaustive, violating, aborted, deadlocks, counted);
    }
}
