package dev.rowlock.cli;

import dev.rowlock.prover.engine.Drawing;
import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.SessionSpec;
import java.io.PrintWriter;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Prints what was found: each bad schedule as it happened, and a table of all verdicts at the end. */
final class ProveOutput {
    private final PrintWriter out;
    private final List<String[]> rows = new ArrayList<>();

    ProveOutput(PrintWriter out) {
        this.out = out;
        rows.add(new String[] {"scenario", "verdict", "schedules", "of", "violating", "aborted", "deadlocks"});
    }

    void report(Scenario scenario, Report report) {
        rows.add(new String[] {
            scenario.name(),
            word(report.verdict()),
            Long.toString(report.schedules()),
            report.interleavings().map(BigInteger::toString).orElse("?"),
            Long.toString(report.violating()),
            Long.toString(report.aborted()),
            Long.toString(report.deadlocks()),
        });
        if (report.verdict() instanceof Verdict.Violated violated) {
            out.println(scenario.name() + ": violated, " + violated.why());
            out.println();
            List<String> actors =
                    scenario.sessions().stream().map(SessionSpec::name).toList();
            Drawing.of(actors, violated.execution()).forEach(line -> out.println("  " + line));
            out.println();
        }
        if (report.verdict() instanceof Verdict.Undecided undecided) {
            out.println(scenario.name() + ": undecided, " + String.join("; ", undecided.reasons()));
        }
        out.flush();
    }

    void cannotRun(Scenario scenario, String reason) {
        rows.add(new String[] {scenario.name(), "undecided", "-", "-", "-", "-", "-"});
        out.println(scenario.name() + ": undecided, " + reason);
        out.flush();
    }

    static String word(Verdict verdict) {
        return verdict instanceof Verdict.Proved
                ? "proved"
                : verdict instanceof Verdict.Violated ? "violated" : "undecided";
    }

    /** Text to the left, numbers to the right. */
    void table() {
        int[] widths = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String blanks = " ".repeat(widths[i] - row[i].length());
                line.append(i < 2 ? row[i] + blanks : blanks + row[i]).append("  ");
            }
            out.println(line.toString().stripTrailing());
        }
        out.flush();
    }
}
