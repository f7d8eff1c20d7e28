package dev.rowlock.cli;

import dev.rowlock.prover.engine.ActorResult;
import dev.rowlock.prover.engine.Remedy;
import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.scenario.Scenario;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A remedy as tables show it.
 *
 * @param remedy its name
 * @param verdict on the scenario with it, or that it cannot be had
 * @param counts schedules run, and in how many of them a session waited, aborted, and was the victim of a deadlock
 * @param note what else it asks for, or why it does not help
 */
record RemedyRow(String remedy, String verdict, List<String> counts, String note) {
    static final String IMPOSSIBLE = "impossible";
    /** The heads of {@link #counts}. */
    static final List<String> COUNTS = List.of("schedules", "waits", "aborted", "deadlocks");
    /** Of the table's columns, in their order. */
    static final List<String> HEADS =
            List.of("what if", "verdict", "schedules", "waits", "aborted", "deadlocks", "note");

    private static final Set<String> RETRYABLE = Set.of("40001", "40P01");
    private static final List<String> NO_COUNTS = List.of("-", "-", "-", "-");

    static RemedyRow of(Scenario scenario, Remedy remedy) {
        if (remedy instanceof Remedy.Tried tried) {
            Report report = tried.report();
            return new RemedyRow(
                    tried.name(),
                    ProveOutput.word(report.verdict()),
                    List.of(
                            Long.toString(report.schedules()),
                            Long.toString(report.waits()),
                            Long.toString(report.aborted()),
                            Long.toString(report.deadlocks())),
                    note(scenario, report));
        }
        Remedy.Impossible impossible = (Remedy.Impossible) remedy;
        return new RemedyRow(impossible.name(), IMPOSSIBLE, NO_COUNTS, String.join("; ", impossible.reasons()));
    }

    private static String note(Scenario scenario, Report report) {
        if (report.verdict() instanceof Verdict.Violated violated) {
            return violated.anomaly().word()
                    + (lacksARetry(violated) ? ", where an aborted session is not retried" : "");
        }
        if (report.verdict() instanceof Verdict.Undecided undecided) {
            return String.join("; ", undecided.reasons());
        }
        if (report.aborted() == 0) {
            return "";
        }
        boolean allRetry = scenario.sessions().stream().allMatch(session -> session.attempts() > 1);
        return allRetry ? "the retries are not enough" : "the caller must retry what is aborted";
    }

    /** Then what does not hold may be just that the session's work is missing. */
    private static boolean lacksARetry(Verdict.Violated violated) {
        return violated.anomaly() == Verdict.Anomaly.BROKEN_INVARIANT
                && violated.execution().results().stream()
                        .map(ActorResult::sqlState)
                        .flatMap(Optional::stream)
                        .anyMatch(RETRYABLE::contains);
    }

    /** All of it, in the order of {@link #HEADS}. */
    List<String> cells() {
        return List.of(remedy, verdict, counts.get(0), counts.get(1), counts.get(2), counts.get(3), note);
    }
}
