package dev.rowlock.cli;

import dev.rowlock.prover.engine.Explorer;
import dev.rowlock.prover.engine.RaceException;
import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.engine.ScenarioRace;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.scenario.IsolationLevel;
import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.ScenarioException;
import dev.rowlock.prover.scenario.Scenarios;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rowlock prove}: runs every interleaving of scenario files on a throw-away PostgreSQL. */
@Command(
        name = "prove",
        mixinStandardHelpOptions = true,
        versionProvider = BuildInfo.Versions.class,
        description = "Runs every interleaving of the sessions in scenario files (.race, or PostgreSQL's .spec) on a"
                + " throw-away PostgreSQL, and says whether one of them goes wrong.",
        sortOptions = false,
        exitCodeListHeading = "Exit status, the first that applies:%n",
        exitCodeList = {
            "2:an input is wrong (file, line, column, what was expected)",
            "1:a scenario is violated",
            "3:a scenario is undecided",
            "0:all are proved"
        })
final class ProveCommand implements Callable<Integer> {
    private static final int VIOLATED = 1;
    private static final int UNDECIDED = 3;
    private static final Duration STEP_LIMIT = Duration.ofSeconds(30);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE|FOLDER",
            description = "Scenario files; of a folder all .race and .spec files in it.")
    private List<Path> inputs = List.of();

    @Option(
            names = "--isolation",
            paramLabel = "LEVEL",
            description = "read-committed, repeatable-read or serializable, whatever the file's own BEGIN says.")
    private @Nullable String isolation;

    @Option(
            names = "--max-schedules",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Run no more than this many schedules of a scenario (default: ${DEFAULT-VALUE}).")
    private long maxSchedules;

    @Option(
            names = "--timeout",
            paramLabel = "S",
            defaultValue = "300",
            description = "Begin no schedule of a scenario later than this many seconds (default: ${DEFAULT-VALUE}).")
    private long timeoutSeconds;

    @Option(names = "--allow-deadlocks", description = "Only count deadlocks that reach a session's end.")
    private boolean allowDeadlocks;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Also write all findings to this file, as a JSON array.")
    private @Nullable Path json;

    @Override
    public Integer call() throws IOException, SQLException {
        Optional<IsolationLevel> level = level();
        requirePositive("--max-schedules", maxSchedules);
        requirePositive("--timeout", timeoutSeconds);
        Path jsonFile = json;
        if (jsonFile != null) {
            ProveJson.requireWritable(jsonFile);
        }
        List<Scenario> scenarios = read(files());
        Explorer.Limits limits =
                new Explorer.Limits(maxSchedules, Duration.ofSeconds(timeoutSeconds), STEP_LIMIT, allowDeadlocks);
        ProveOutput output = new ProveOutput(out());
        int worst = 0;
        try (ProveServer server = ProveServer.start()) {
            ProveJson findings = new ProveJson(server.version(), level.map(IsolationLevel::word));
            for (Scenario scenario : scenarios) {
                worst = worse(worst, prove(scenario, server, level, limits, output, findings));
            }
            if (jsonFile != null) {
                findings.write(jsonFile);
            }
        }
        output.table();
        return worst;
    }

    private int prove(
            Scenario scenario,
            ProveServer server,
            Optional<IsolationLevel> level,
            Explorer.Limits limits,
            ProveOutput output,
            ProveJson findings)
            throws SQLException {
        long begin = System.nanoTime();
        try (ScenarioRace race = new ScenarioRace(scenario, server::connect, ProveServer.SCHEMA, level)) {
            Report report = race.explore(limits);
            output.report(scenario, report);
            findings.add(scenario, report, millisSince(begin));
            return report.verdict() instanceof Verdict.Proved
                    ? 0
                    : report.verdict() instanceof Verdict.Violated ? VIOLATED : UNDECIDED;
        } catch (RaceException e) {
            output.cannotRun(scenario, Refusal.reason(e));
            findings.addUndecided(scenario, Refusal.reason(e), millisSince(begin));
            return UNDECIDED;
        }
    }

    private static long millisSince(long beginNanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
    }

    /** Of violated, undecided and proved the first is the worst. */
    private static int worse(int one, int other) {
        return one == VIOLATED || other == VIOLATED ? VIOLATED : Math.max(one, other);
    }

    private Optional<IsolationLevel> level() {
        String given = isolation;
        if (given == null) {
            return Optional.empty();
        }
        Optional<IsolationLevel> found = IsolationLevel.of(given);
        if (found.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--isolation is '" + given + "'; it must be read-committed, repeatable-read or serializable");
        }
        return found;
    }

    private void requirePositive(String option, long value) {
        if (value < 1) {
            throw new ParameterException(spec.commandLine(), option + " is " + value + "; it must be at least 1");
        }
    }

    private List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path input : inputs) {
            if (!Files.isDirectory(input)) {
                files.add(input);
                continue;
            }
            try (Stream<Path> inside = Files.list(input)) {
                List<Path> found =
                        inside.filter(ProveCommand::isScenario).sorted().toList();
                if (found.isEmpty()) {
                    throw new Refusal("there is no .race or .spec file in " + input);
                }
                files.addAll(found);
            }
        }
        return files;
    }

    private static boolean isScenario(Path file) {
        return file.toString().endsWith(".race") || file.toString().endsWith(".spec");
    }

    /** All of them are read before the first is run, and every wrong one is told. */
    private static List<Scenario> read(List<Path> files) {
        List<Scenario> scenarios = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        for (Path file : files) {
            try {
                scenarios.add(Scenarios.read(file));
            } catch (ScenarioException e) {
                wrong.add(e.getMessage());
            }
        }
        if (!wrong.isEmpty()) {
            throw new Refusal(String.join("\n", wrong));
        }
        return scenarios;
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
