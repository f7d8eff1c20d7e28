package dev.rowlock.benchmarks;

import dev.rowlock.prover.engine.Explorer;
import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.engine.ScenarioRace;
import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.Scenarios;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.PreferQueryMode;

/** Schedules that the prover runs in a second, beside PostgreSQL's own tester, which runs the same ones and judges none. */
final class ProverSpeed implements Contest {
    private static final List<String> SPECS = List.of("total-cash", "two-ids", "receipt-report");
    private static final Path SPEC_FOLDER = Path.of("../shared/pg-isolation/specs");
    private static final Path POSTGRES = Path.of("/usr/lib/postgresql");
    private static final String TESTER = "lib/pgxs/src/test/isolation/isolationtester";
    private static final String SCHEMA = "rowlock_bench";
    private static final Explorer.Limits ALL =
            new Explorer.Limits(100_000, Duration.ofMinutes(5), Duration.ofSeconds(20), false).withoutReduction();

    @Override
    public int number() {
        return 13;
    }

    @Override
    public String title() {
        return "The prover: schedules a second, three of PostgreSQL's own specs";
    }

    @Override
    public Result run(Bench bench) throws Exception {
        Optional<Path> tester = tester();
        if (tester.isEmpty() || !Files.isDirectory(SPEC_FOLDER)) {
            return new Result(
                    number(),
                    title(),
                    Map.of(),
                    List.of(),
                    List.of("Not measured: "
                            + (tester.isEmpty() ? TESTER + " is not below " + POSTGRES : "there is no " + SPEC_FOLDER)
                            + "."));
        }
        Map<String, List<Trial>> trials = new LinkedHashMap<>();
        for (String spec : SPECS) {
            String bare = withoutPermutations(spec);
            for (int i = -2; i < bench.plan().repeats(); i++) {
                Trial ours = prove(bench, spec, bare);
                Trial theirs = test(bench, tester.get(), spec, bare);
                // The first ones warm up.
                if (i >= 0) {
                    trials.computeIfAbsent(ours.entrant(), none -> new ArrayList<>())
                            .add(ours);
                    trials.computeIfAbsent(theirs.entrant(), none -> new ArrayList<>())
                            .add(theirs);
                }
            }
        }
        List<Comparison> comparisons = SPECS.stream()
                .map(spec -> Comparison.of(trials, ours(spec), theirs(spec), Comparison.Figure.THROUGHPUT, 3, true))
                .toList();
        return new Result(
                number(),
                title(),
                trials,
                comparisons,
                List.of("Without reduction: both run every interleaving. The prover's time has its search, its"
                        + " serial runs and its verdict in it."));
    }

    private static String ours(String spec) {
        return "rowlock prove, " + spec;
    }

    private static String theirs(String spec) {
        return "isolationtester, " + spec;
    }

    private static Optional<Path> tester() throws IOException {
        if (!Files.isDirectory(POSTGRES)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(POSTGRES)) {
            return versions.map(version -> version.resolve(TESTER))
                    .filter(Files::isExecutable)
                    .max(Path::compareTo);
        }
    }

    /** Without them both run all there are. */
    private static String withoutPermutations(String spec) throws IOException {
        try (Stream<String> lines = Files.lines(SPEC_FOLDER.resolve(spec + ".spec"))) {
            return String.join(
                            "\n",
                            lines.filter(line -> !line.startsWith("permutation"))
                                    .toList()) + "\n";
        }
    }

    private static Trial prove(Bench bench, String spec, String text) throws Exception {
        Scenario scenario = Scenarios.parse(spec, text);
        Usage before = Usage.now(bench.database());
        long from = System.nanoTime();
        Report report;
        try (ScenarioRace race =
                new ScenarioRace(scenario, schema -> connect(bench, schema), SCHEMA, Optional.empty())) {
            report = race.explore(ALL);
        }
        double seconds = (System.nanoTime() - from) / 1e9;
        String wrong = report.exhaustive() ? null : "not all schedules were run";
        return trial(bench, ours(spec), report.schedules(), seconds, before, wrong);
    }

    private static Connection connect(Bench bench, String schema) throws SQLException {
        PGSimpleDataSource source = bench.database().dataSource();
        source.setPreferQueryMode(PreferQueryMode.SIMPLE);
        source.setCurrentSchema(schema);
        return source.getConnection();
    }

    private static Trial test(Bench bench, Path tester, String spec, String text) throws Exception {
        bench.database().run("DROP SCHEMA public CASCADE", "CREATE SCHEMA public");
        Path input = Files.createTempFile("rowlock-bench", ".spec");
        Path output = Files.createTempFile("rowlock-bench", ".out");
        try {
            Files.writeString(input, text);
            Usage before = Usage.now(bench.database());
            long from = System.nanoTime();
            Process process = new ProcessBuilder(
                            tester.toString(),
                            "host=127.0.0.1 port=" + bench.database().port() + " user=postgres dbname=postgres")
                    .redirectInput(input.toFile())
                    .redirectOutput(output.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            boolean ended = process.waitFor(5, TimeUnit.MINUTES);
            double seconds = (System.nanoTime() - from) / 1e9;
            long schedules;
            try (Stream<String> lines = Files.lines(output, StandardCharsets.UTF_8)) {
                schedules = lines.filter(line -> line.startsWith("starting permutation"))
                        .count();
            }
            String wrong = ended && process.exitValue() == 0 && schedules > 0 ? null : tester + " failed";
            return trial(bench, theirs(spec), schedules, seconds, before, wrong);
        } finally {
            Files.delete(input);
            Files.delete(output);
        }
    }

    private static Trial trial(
            Bench bench, String entrant, long schedules, double seconds, Usage before, @Nullable String wrong)
            throws SQLException {
        bench.database().awaitAlone();
        double perSecond = schedules / seconds;
        double micros = 1e6 / perSecond;
        return new Trial(
                entrant,
                perSecond,
                micros,
                micros,
                Usage.now(bench.database()).perOperationSince(before, Math.max(1, schedules)),
                wrong);
    }
}
