package dev.rowlock.prover;

import dev.rowlock.prover.engine.Drawing;
import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.engine.Verdict;
import java.util.ArrayList;
import java.util.List;

/**
 * What was found out about a race, and how to tell it.
 *
 * @param race its name
 * @param actors their names, in their order
 * @param report all that was found out
 */
public record RaceReport(String race, List<String> actors, Report report) {
    public RaceReport {
        actors = List.copyOf(actors);
    }

    /** In words: the verdict, the bad schedule if there is one, drawn, and every outcome with how often it came. */
    public String text() {
        List<String> lines = new ArrayList<>();
        Verdict verdict = report.verdict();
        if (verdict instanceof Verdict.Proved) {
            lines.add(race + ": proved");
        } else if (verdict instanceof Verdict.Undecided undecided) {
            lines.add(race + ": undecided");
            undecided.reasons().forEach(reason -> lines.add("because " + reason));
        } else if (verdict instanceof Verdict.Violated violated) {
            lines.add(race + ": violated (" + violated.anomaly().word() + "): " + violated.why());
            lines.add("");
            lines.addAll(Drawing.of(actors, violated.execution()));
            lines.add("");
            lines.add("schedule " + violated.execution().schedule());
        }
        lines.add(report.schedules() + " schedules run, "
                + (report.exhaustive() ? "which stand for all" : "not all there are") + "; " + report.violating()
                + " violating, " + report.aborted() + " with an aborted actor, " + report.deadlocks()
                + " with a deadlock");
        for (Report.Counted outcome : report.outcomes()) {
            lines.add("");
            lines.add(outcome.count() + " times "
                    + (outcome.violates() ? "WRONG" : "right")
                    + (outcome.serial() ? "" : ", in no serial order")
                    + ":");
            outcome.outcome().lines().forEach(line -> lines.add("  " + line));
        }
        return String.join("\n", lines) + "\n";
    }
}
