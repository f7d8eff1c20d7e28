package dev.rowlock.cli;

import dev.rowlock.prover.engine.Drawing;
import dev.rowlock.prover.engine.Execution;
import dev.rowlock.prover.engine.Remedy;
import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.SessionSpec;
import java.io.PrintWriter;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;

/** Prints what was found: each bad schedule as it happened, and a table of all verdicts at the end. */
final class ProveOutput implements Findings {
    private static final String INDENT = "  ";
    private static final int NOTE = RemedyRow.HEADS.indexOf("note");

    private final PrintWriter out;
    private final Paint paint;
    private final Drawing.Style style;
    private final TextTable verdicts;

    ProveOutput(PrintWriter out, Terminal terminal) {
        this.out = out;
        this.paint = new Paint(terminal.colour());
        this.style = new Drawing.Style(terminal.width() - INDENT.length(), terminal.unicode(), paint);
        this.verdicts = new TextTable(
                paint,
                List.of(
                        "scenario",
                        "verdict",
                        "schedules",
                        "of",
                        "outcomes",
                        "violating",
                        "aborted",
                        "deadlocks",
                        "time"),
                Set.of());
    }

    @Override
    public void add(Scenario scenario, Report report, long millis) {
        verdicts.add(List.of(
                scenario.name(),
                word(report.verdict()),
                Long.toString(report.schedules()),
                report.interleavings().map(BigInteger::toString).orElse("?"),
                Integer.toString(report.outcomes().size()),
                Long.toString(report.violating()),
                Long.toString(report.aborted()),
                Long.toString(report.deadlocks()),
                Durations.words(millis)));
        if (report.verdict() instanceof Verdict.Violated violated) {
            sentence(scenario, "violated", violated.why());
        }
        if (report.verdict() instanceof Verdict.Undecided undecided) {
            sentence(scenario, "undecided", String.join("; ", undecided.reasons()));
        }
        report.shown().ifPresent(execution -> schedule(scenario, execution));
        if (report.replayed().isPresent()) {
            report.outcomes().forEach(this::outcome);
        }
        out.flush();
    }

    @Override
    public void addUndecided(Scenario scenario, String reason, long millis) {
        verdicts.add(List.of(scenario.name(), "undecided", "-", "-", "-", "-", "-", "-", Durations.words(millis)));
        sentence(scenario, "undecided", reason);
        out.flush();
    }

    @Override
    public void addRemedies(Scenario scenario, List<Remedy> remedies) {
        if (remedies.isEmpty()) {
            out.println(scenario.name() + ": no bad schedule was found, so --what-if tries nothing");
        } else {
            TextTable table = new TextTable(paint, RemedyRow.HEADS, Set.of(NOTE));
            remedies.forEach(remedy -> table.add(RemedyRow.of(scenario, remedy).cells()));
            table.lines().forEach(line -> out.println(INDENT + line));
            out.println();
        }
        out.flush();
    }

    /** What can be handed to --replay stands below the drawing. */
    private void schedule(Scenario scenario, Execution execution) {
        out.println();
        Drawing.of(actors(scenario), execution, style).forEach(line -> out.println(INDENT + line));
        out.println();
        out.println(INDENT + "schedule: " + execution.schedule());
        out.println();
    }

    private void outcome(Report.Counted counted) {
        out.println(
                INDENT + "outcome, which " + (counted.serial() ? "a serial order has too:" : "no serial order has:"));
        counted.outcome().lines().forEach(line -> out.println(INDENT + INDENT + line));
        out.println();
    }

    private void sentence(Scenario scenario, String word, String why) {
        out.println(scenario.name() + ": " + paint.verdict(word, word) + ", " + why);
    }

    /** The names of the columns of a drawing. */
    static List<String> actors(Scenario scenario) {
        return scenario.sessions().stream().map(SessionSpec::name).toList();
    }

    static String word(Verdict verdict) {
        return verdict instanceof Verdict.Proved
                ? "proved"
                : verdict instanceof Verdict.Violated ? "violated" : "undecided";
    }

    /** All verdicts. */
    void table() {
        verdicts.lines().forEach(out::println);
        out.flush();
    }
}
