package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.Oracle.Judgement;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts what schedules came to, and keeps the bad one that is easiest to read. */
final class Tally {
    private final boolean allowDeadlocks;
    private final Map<Outcome, Count> outcomes = new LinkedHashMap<>();
    private long schedules;
    private long cutShort;
    private long longest;
    private long violating;
    private long aborted;
    private long deadlocks;
    private long waits;
    private @Nullable Bad worst;

    /** A bad schedule. */
    record Bad(Execution execution, Judgement judgement) {}

    private static final class Count {
        private long count;
        private boolean serial;
        private boolean violates;
    }

    Tally(boolean allowDeadlocks) {
        this.allowDeadlocks = allowDeadlocks;
    }

    /** Nothing was counted. */
    void clear() {
        outcomes.clear();
        schedules = 0;
        cutShort = 0;
        violating = 0;
        aborted = 0;
        deadlocks = 0;
        waits = 0;
        worst = null;
    }

    void addCutShort() {
        cutShort++;
    }

    /** How many steps the longest one had. */
    long longest() {
        return longest;
    }

    void add(Execution execution, Judgement judgement) {
        schedules++;
        longest = Math.max(longest, execution.steps().size());
        violating += judgement.violates() ? 1 : 0;
        aborted += judgement.aborted() ? 1 : 0;
        deadlocks += judgement.deadlock() ? 1 : 0;
        waits += execution.hasWait() ? 1 : 0;
        Count count = outcomes.computeIfAbsent(judgement.outcome(), any -> new Count());
        count.count++;
        count.serial |= judgement.serial();
        count.violates |= judgement.violates();
        offer(execution, judgement);
    }

    /** Keeps the schedule if it is bad and easier to read than the one kept so far; whether it is kept. */
    boolean offer(Execution execution, Judgement judgement) {
        if (!isBad(judgement)) {
            return false;
        }
        Comparator<Bad> readability = Comparator.comparing(
                        (Bad bad) -> !bad.judgement().violates())
                .thenComparingInt(bad -> bad.execution().switches());
        Bad found = new Bad(execution, judgement);
        if (worst != null && readability.compare(found, worst) >= 0) {
            return false;
        }
        worst = found;
        return true;
    }

    boolean isBad(Judgement judgement) {
        return judgement.violates() || (judgement.deadlock() && !allowDeadlocks);
    }

    Optional<Bad> worst() {
        return Optional.ofNullable(worst);
    }

    /** How many were run, to their end or not. */
    long begun() {
        return schedules + cutShort;
    }

    Report report(Verdict verdict, boolean exhaustive) {
        List<Report.Counted> counted = outcomes.entrySet().stream()
                .map(e -> new Report.Counted(
                        e.getKey().text(), e.getValue().count, e.getValue().serial, e.getValue().violates))
                .sorted(Comparator.comparingLong(Report.Counted::count).reversed())
                .toList();
        return new Report(
                verdict,
                schedules,
                cutShort,
                Optional.empty(),
                exhaustive,
                violating,
                aborted,
                deadlocks,
                waits,
                counted,
                Optional.empty());
    }
}
