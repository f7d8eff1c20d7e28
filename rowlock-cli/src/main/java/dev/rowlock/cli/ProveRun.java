package dev.rowlock.cli;

import dev.rowlock.prover.engine.Explorer;
import dev.rowlock.prover.engine.Progress;
import dev.rowlock.prover.engine.RaceException;
import dev.rowlock.prover.engine.Remedy;
import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.engine.ScenarioRace;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.engine.WhatIf;
import dev.rowlock.prover.scenario.IsolationLevel;
import dev.rowlock.prover.scenario.Scenario;
import java.io.PrintWriter;
import java.math.BigInteger;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Does with one scenario after the other what was asked for, on one server, and tells all findings. */
final class ProveRun {
    static final int VIOLATED = 1;
    static final int UNDECIDED = 3;

    private final ProveServer server;
    private final Asked asked;
    private final Console console;
    private final Running running;
    private final List<Findings> all;

    /**
     * What is to be done.
     *
     * @param level of all transactions, if not as the scenario says
     * @param limits of each exploration
     * @param replay the one schedule to run, if not all
     * @param whatIf whether remedies are tried against what is violated
     */
    record Asked(
            Optional<IsolationLevel> level, Explorer.Limits limits, Optional<List<String>> replay, boolean whatIf) {}

    /** Where progress is shown. */
    record Console(Terminal terminal, PrintWriter out, PrintWriter err) {}

    ProveRun(ProveServer server, Asked asked, Console console, Running running, List<Findings> all) {
        this.server = server;
        this.asked = asked;
        this.console = console;
        this.running = running;
        this.all = all;
    }

    /** The exit status that the scenario alone would end with. */
    int prove(Scenario scenario) {
        long begin = System.nanoTime();
        Report report;
        try (ScenarioRace race = new ScenarioRace(scenario, server::connect, server.schema(), asked.level())) {
            report = report(race, scenario);
        } catch (RaceException | SQLException | IllegalStateException e) {
            refuseIfStopping(e);
            if (e instanceof IllegalStateException bug) {
                throw bug;
            }
            all.forEach(findings -> findings.addUndecided(scenario, Refusal.reason(e), millisSince(begin)));
            if (asked.whatIf()) {
                all.forEach(findings -> findings.addRemedies(scenario, List.of()));
            }
            return UNDECIDED;
        }
        all.forEach(findings -> findings.add(scenario, report, millisSince(begin)));
        if (asked.whatIf()) {
            List<Remedy> remedies =
                    report.verdict() instanceof Verdict.Violated ? remedies(scenario, report) : List.of();
            all.forEach(findings -> findings.addRemedies(scenario, remedies));
        }
        return report.verdict() instanceof Verdict.Proved
                ? 0
                : report.verdict() instanceof Verdict.Violated ? VIOLATED : UNDECIDED;
    }

    private Report report(ScenarioRace race, Scenario scenario) {
        if (asked.replay().isPresent()) {
            return race.replay(asked.replay().get(), asked.limits());
        }
        try (ProveProgress progress = progress(scenario.name(), race.interleavings())) {
            return race.explore(asked.limits(), progress);
        }
    }

    /** That the remedies cannot be tried takes nothing away from what was found before. */
    private List<Remedy> remedies(Scenario scenario, Report report) {
        try (EachProgress progress = new EachProgress(scenario.name() + ", what if ", report.interleavings())) {
            return new WhatIf(server::connect, server.schema(), asked.limits())
                    .remedies(scenario, asked.level(), (Verdict.Violated) report.verdict(), progress::next);
        } catch (RaceException | SQLException e) {
            refuseIfStopping(e);
            return List.of(new Remedy.Impossible("any remedy", List.of(Refusal.reason(e))));
        }
    }

    private void refuseIfStopping(Exception e) {
        if (running.isStopping()) {
            throw new Refusal("stopped before the end", e);
        }
    }

    private ProveProgress progress(String name, Optional<BigInteger> interleavings) {
        BigInteger budget = BigInteger.valueOf(asked.limits().maxSchedules());
        long most = interleavings.map(budget::min).orElse(budget).longValueExact();
        return new ProveProgress(name, most, console.terminal(), console.out(), console.err(), System::nanoTime);
    }

    /** One progress after the other. */
    private final class EachProgress implements AutoCloseable {
        private final String before;
        private final Optional<BigInteger> interleavings;
        private @Nullable ProveProgress current;

        EachProgress(String before, Optional<BigInteger> interleavings) {
            this.before = before;
            this.interleavings = interleavings;
        }

        Progress next(String name) {
            close();
            ProveProgress next = progress(before + name, interleavings);
            current = next;
            return next;
        }

        @Override
        public void close() {
            if (current != null) {
                current.close();
                current = null;
            }
        }
    }

    private static long millisSince(long beginNanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
    }
}
