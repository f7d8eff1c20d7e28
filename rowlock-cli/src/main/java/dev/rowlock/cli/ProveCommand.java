package dev.rowlock.cli;

import dev.rowlock.prover.engine.Explorer;
import dev.rowlock.prover.engine.ScenarioRace;
import dev.rowlock.prover.scenario.IsolationLevel;
import dev.rowlock.prover.scenario.Scenario;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
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
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  rowlock prove examples",
            "  rowlock prove --isolation serializable examples/last-owner-broken.race",
            "  rowlock prove --what-if examples/wallet-double-charge-broken.race",
            "  rowlock prove --replay \"read_a read_b charge_a\" examples/wallet-double-charge-broken.race",
            "  rowlock prove --json findings.json --html findings.html races",
            "%ndocs/prove.md says how to write a scenario and how to read what is printed."
        })
final class ProveCommand implements Callable<Integer> {
    private static final String AS_WRITTEN = "as-written";
    private static final Duration STEP_LIMIT = Duration.ofSeconds(30);

    private Supplier<Terminal> stdout = Terminal::detect;

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

    @Option(
            names = "--no-reduction",
            description = "Also run the schedules that differ only in the order of independent steps.")
    private boolean noReduction;

    @Option(names = "--allow-deadlocks", description = "Only count deadlocks that reach a session's end.")
    private boolean allowDeadlocks;

    @Option(
            names = "--overlap",
            description = "Also stop every statement that writes inside the server, between its snapshot and its first"
                    + " row, so that two statements overlap there.")
    private boolean overlap;

    @Option(
            names = "--replay",
            paramLabel = "STEPS",
            description = "Run only the schedule that takes these steps in this order, as a violated scenario's"
                    + " schedule is printed, and show it; one scenario only.")
    private @Nullable String replay;

    @Option(
            names = "--what-if",
            description = "For each violated scenario, try higher isolation levels and row locks on its plain reads:"
                    + " which of them help, and in how many schedules a session then waits, aborts or deadlocks.")
    private boolean whatIf;

    @Option(
            names = "--url",
            paramLabel = "JDBC",
            description = "Use this server and not a throw-away one:%n"
                    + "jdbc:postgresql://host:5432/database?user=…&password=…%n"
                    + "Only schema " + ProveServer.SCHEMA
                    + " is touched (another one with &currentSchema=…): it must be"
                    + " missing or empty, and is so again afterwards.")
    private @Nullable String url;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Also write all findings to this file, as a JSON array.")
    private @Nullable Path json;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Also write all findings to this file, as one page that needs nothing else.")
    private @Nullable Path html;

    @Option(
            names = "--transcript",
            description = "Prove nothing: run the permutations of each file (all where it lists none) and print what"
                    + " PostgreSQL's isolationtester prints of them, in UTF-8. A file may only have what that tester"
                    + " knows: no into, when, expect, transaction, isolation or retry; invariants are not looked at."
                    + " The exit status is 0 where all ran to their end, whatever they printed.")
    private boolean transcript;

    /** Takes the terminal as it is told instead of looking at the process's own. */
    void printTo(Terminal terminal) {
        stdout = () -> terminal;
    }

    @Override
    public Integer call() throws IOException, SQLException {
        if (transcript) {
            return transcribe();
        }
        Optional<IsolationLevel> level = level();
        requirePositive("--max-schedules", maxSchedules);
        requirePositive("--timeout", timeoutSeconds);
        Optional<WholeFile> jsonFile = wholeFile("--json", json);
        Optional<WholeFile> htmlFile = wholeFile("--html", html);
        if (jsonFile.isPresent() && jsonFile.equals(htmlFile)) {
            throw new Refusal("--json and --html name the same file, " + json);
        }
        if (whatIf && replay != null) {
            throw new Refusal("--what-if and --replay exclude each other: one schedule says nothing about a remedy");
        }
        List<Scenario> scenarios = ScenarioFiles.read(inputs);
        ProveRun.Asked what = new ProveRun.Asked(level, limits(), schedule(scenarios), whatIf);
        Terminal terminal = stdout.get();
        ProveOutput output = new ProveOutput(out(), terminal);
        int worst = 0;
        Running running = new Running(out(), err());
        try (ProveServer server = url == null ? ProveServer.start() : GivenServer.open(url)) {
            running.add(server);
            running.closeOnSignal();
            String asked = level.map(IsolationLevel::word).orElse(AS_WRITTEN);
            ProveJson asJson = new ProveJson(server.version(), asked);
            ProveHtml asHtml = new ProveHtml(server.version(), asked);
            ProveRun run = new ProveRun(
                    server,
                    what,
                    new ProveRun.Console(terminal, out(), err()),
                    running,
                    List.of(output, asJson, asHtml));
            for (Scenario scenario : scenarios) {
                worst = worse(worst, run.prove(scenario));
            }
            if (jsonFile.isPresent()) {
                jsonFile.get().write(asJson.text());
            }
            if (htmlFile.isPresent()) {
                htmlFile.get().write(asHtml.text());
            }
        }
        output.table();
        return worst;
    }

    private static Optional<WholeFile> wholeFile(String option, @Nullable Path file) throws IOException {
        return file == null ? Optional.empty() : Optional.of(WholeFile.at(option, file));
    }

    private int transcribe() throws IOException, SQLException {
        ProveTranscript.requireNoOptionOfProofs(spec.commandLine());
        List<Scenario> scenarios = ScenarioFiles.read(inputs);
        ProveTranscript.requirePlain(scenarios);
        // The terminal's own encoding may lack characters that the files have.
        Writer out = new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8);
        if (url != null) {
            return new ProveTranscript(GivenUrl.dataSource(url), out).run(scenarios);
        }
        try (ProveServer server = ProveServer.start()) {
            return new ProveTranscript(ProveTranscript.source(server), out).run(scenarios);
        }
    }

    private Explorer.Limits limits() {
        Explorer.Limits limits =
                new Explorer.Limits(maxSchedules, Duration.ofSeconds(timeoutSeconds), STEP_LIMIT, allowDeadlocks);
        limits = overlap ? limits.withOverlap() : limits;
        return noReduction ? limits.withoutReduction() : limits;
    }

    private Optional<List<String>> schedule(List<Scenario> scenarios) {
        String given = replay;
        if (given == null) {
            return Optional.empty();
        }
        if (scenarios.size() != 1) {
            throw new Refusal("--replay needs exactly one scenario, and here are " + scenarios.size());
        }
        try {
            List<String> steps = ScenarioRace.schedule(scenarios.get(0), given);
            if (steps.isEmpty()) {
                throw new Refusal("--replay names no step");
            }
            return Optional.of(steps);
        } catch (IllegalArgumentException e) {
            throw new Refusal("--replay: " + e.getMessage(), e);
        }
    }

    /** Of violated, undecided and proved the first is the worst. */
    private static int worse(int one, int other) {
        return one == ProveRun.VIOLATED || other == ProveRun.VIOLATED ? ProveRun.VIOLATED : Math.max(one, other);
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

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }
}
