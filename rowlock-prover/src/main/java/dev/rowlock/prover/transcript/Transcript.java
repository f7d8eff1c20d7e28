package dev.rowlock.prover.transcript;

import dev.rowlock.prover.scenario.Position;
import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.ScenarioException;
import dev.rowlock.prover.scenario.SessionSpec;
import dev.rowlock.prover.scenario.StepSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Runs the permutations of a scenario, all of them where it lists none, and writes byte for byte what PostgreSQL's isolation
 * tester (that of PostgreSQL 15) prints to its standard output and its standard error together.
 *
 * <pre>{@code
 * StringBuilder text = new StringBuilder();
 * new Transcript(address, Transcript.STEP_LIMIT).write(Scenarios.read(file), text);
 * }</pre>
 *
 * <p>The server must be PostgreSQL 9.6 or newer. Rows show as its version writes them, so a transcript made on another version
 * than 15 may differ from the one that is expected of 15.
 */
public final class Transcript {
    /** How long PostgreSQL's tester waits for a step before it cancels it: 6 minutes. */
    public static final Duration STEP_LIMIT = Duration.ofMinutes(6);

    private final ServerAddress address;
    private final Duration limit;

    /**
     * Makes transcripts on a server; nothing is connected yet.
     *
     * @param address a database that the scenario's setup finds empty, as a superuser
     * @param limit how long a step may run before it is cancelled; when it has not ended after twice that, nor a setup or
     *     teardown, the transcript is given up
     */
    public Transcript(ServerAddress address, Duration limit) {
        this.address = address;
        this.limit = limit;
    }

    /**
     * Runs all permutations and writes what happens while it happens. The scenario's invariants, ignored columns and the kind
     * of comparison have no meaning here.
     *
     * @param out receives text with line feeds; flushed after each permutation if it can be
     * @throws ScenarioException before anything is run, as {@link #requirePlain} does
     * @throws TranscriptException if it cannot be run to its end: no connection, a setup that failed, a step that could not be
     *     cancelled. What the tester says then is written before. Connections are closed; what the setup made stays
     * @throws UncheckedIOException if {@code out} throws
     */
    public void write(Scenario scenario, Appendable out) {
        requirePlain(scenario);
        Printer printer = new Printer(out);
        try {
            write(scenario, printer);
        } catch (TranscriptException e) {
            printer.print(e.lastWords());
            throw e;
        } catch (IOException e) {
            TranscriptException lost = broken(e);
            printer.print(lost.lastWords());
            throw lost;
        }
    }

    private void write(Scenario scenario, Printer out) throws IOException {
        Permutations permutations = new Permutations(scenario);
        permutations.unused().forEach(step -> out.print("unused step name: " + step + "\n"));
        out.print("Parsed test spec with " + scenario.sessions().size() + " sessions\n");
        try (Lineup lineup = Lineup.open(scenario, address, testName(scenario), limit, out)) {
            StepWatch watch = new StepWatch(lineup, permutations, out, limit);
            permutations.forEach(steps -> {
                run(new PermutationRun(scenario, lineup, watch, out, limit), steps);
                out.flush();
            });
        }
    }

    private void run(PermutationRun run, List<PlannedStep> steps) {
        try {
            run.run(steps);
        } catch (IOException e) {
            throw broken(e);
        }
    }

    private TranscriptException broken(IOException e) {
        return new TranscriptException("connection to " + address + " failed: " + e.getMessage() + "\n", e);
    }

    /** As PostgreSQL calls a test: its file without folder and ending. */
    private static String testName(Scenario scenario) {
        Path file = Path.of(scenario.name()).getFileName();
        return file == null ? scenario.name() : file.toString().replaceFirst("\\.[^.]*$", "");
    }

    /**
     * Refuses a scenario of which no transcript can be made.
     *
     * @throws ScenarioException if a step or session has what PostgreSQL's tester does not know: {@code into}, {@code when},
     *     {@code expect}, {@code transaction}, an isolation level, {@code retry}
     */
    public static void requirePlain(Scenario scenario) {
        for (SessionSpec session : scenario.sessions()) {
            refuse(session.transaction(), session.position(), "session " + session.name() + " in a transaction");
            refuse(
                    session.isolation().isPresent(),
                    session.position(),
                    "an isolation level of session " + session.name());
            refuse(session.attempts() > 1, session.position(), "retries of session " + session.name());
            for (StepSpec step : session.steps()) {
                refuse(!step.into().isEmpty(), step.position(), "'into' of step " + step.name());
                refuse(step.when().isPresent(), step.position(), "'when' of step " + step.name());
                refuse(step.expectRows().isPresent(), step.position(), "expected rows of step " + step.name());
            }
        }
    }

    private static void refuse(boolean wrong, Position position, String found) {
        if (wrong) {
            throw new ScenarioException(position, "what PostgreSQL's own tester knows, for a transcript", found);
        }
    }
}
