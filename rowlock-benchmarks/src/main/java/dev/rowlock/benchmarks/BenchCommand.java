package dev.rowlock.benchmarks;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code rowlock bench}. Exit status: 0 all figures are good ones, 1 a figure is void, 2 an argument is wrong. */
@Command(
        name = "rowlock bench",
        mixinStandardHelpOptions = true,
        description = "Measures Rowlock side by side with what people would use instead, on one PostgreSQL with durable"
                + " settings, in turns, and checks behind every number that the work was done right.",
        sortOptions = false,
        exitCodeListHeading = "Exit status:%n",
        exitCodeList = {
            "0:everything was measured, whether or not it reached its target",
            "1:a number is void, because a result was wrong",
            "2:an argument is wrong"
        },
        footerHeading = "%nContests:%n",
        footer = {"  see --list; a full run takes about an hour, --quick about six minutes"})
final class BenchCommand implements Callable<Integer> {
    static final List<Contest> CONTESTS = List.of(
            new HotRow(),
            new HotRowCallers(),
            new HotRowOldSnapshot(),
            new Transfers(),
            new Uncontended(),
            new Idempotent(),
            new JobsThroughput(),
            new JobsInGroups(),
            new JobsOldSnapshot(),
            new TakeOver(),
            new TreeMoves(),
            new TraceCost(),
            new ProverSpeed(),
            new Distance());

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--quick", description = "The same table from short trials, in about six minutes.")
    private boolean quick;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "N",
            description = "Only these contests, by their numbers: --only 1,6.")
    private List<Integer> only = List.of();

    @Option(
            names = "--micro",
            description = "Measure the mapping of rows and the building of SQL instead, by JMH; takes about three"
                    + " minutes.")
    private boolean micro;

    @Option(names = "--list", description = "Say which contests there are, and measure nothing.")
    private boolean list;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write every trial to this file.")
    private @Nullable Path json;

    @Option(
            names = "--docs",
            paramLabel = "FOLDER",
            description = "Also write performance.md and its charts into this folder, or microbenchmarks.md.")
    private @Nullable Path docs;

    /**
     * Runs the command and ends the JVM with its exit status.
     *
     * @param args as typed
     */
    public static void main(String[] args) {
        System.exit(new CommandLine(new BenchCommand()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        List<Contest> chosen = chosen();
        if (micro && (!only.isEmpty() || json != null)) {
            throw new ParameterException(
                    spec.commandLine(), "--micro measures no contests, so --only and --json do not go with it");
        }
        if (list) {
            chosen.forEach(contest -> out.println(contest.number() + "  " + contest.title()));
            out.println("--micro  the mapping of rows and the building of SQL, by JMH");
            return 0;
        }
        if (micro) {
            measureMicro(out);
            return 0;
        }
        List<Contest.Result> results = new ArrayList<>();
        Bench.Plan plan = quick ? Bench.Plan.QUICK : Bench.Plan.FULL;
        Environment environment;
        try (Database database = Database.start()) {
            environment = Environment.of(database, plan);
            out.println(environment.words());
            Bench bench = new Bench(database, plan);
            for (Contest contest : chosen) {
                err.println("measuring " + contest.number() + ". " + contest.title());
                err.flush();
                Contest.Result result = measured(contest, bench);
                results.add(result);
                new ResultText(result).lines().forEach(out::println);
                out.flush();
            }
        }
        write(environment, results);
        return results.stream().allMatch(BenchCommand::isValid) ? 0 : 1;
    }

    /** What the others came to must not be lost because one contest has no numbers. */
    private static Contest.Result measured(Contest contest, Bench bench) throws Exception {
        try {
            return contest.run(bench);
        } catch (WrongResultException e) {
            Comparison nothing = new Comparison("all of it", null, 1, true, e.getMessage());
            return new Contest.Result(contest.number(), contest.title(), Map.of(), List.of(nothing), List.of());
        }
    }

    private void measureMicro(PrintWriter out) throws Exception {
        Micro.Plan plan = quick ? Micro.Plan.QUICK : Micro.Plan.FULL;
        try (Database database = Database.start()) {
            Environment environment = Environment.of(database, Bench.Plan.FULL);
            List<Micro.Measured> results = Micro.run(database, plan);
            Micro.lines(results).forEach(out::println);
            if (docs != null) {
                Micro.page(docs, environment, plan, results);
            }
        }
    }

    private void write(Environment environment, List<Contest.Result> results) throws IOException {
        if (json != null) {
            ResultFiles.json(json, environment, results);
        }
        if (docs != null) {
            ResultFiles.page(docs, environment, results);
        }
    }

    private static boolean isValid(Contest.Result result) {
        return result.comparisons().stream().allMatch(comparison -> comparison.why() == null);
    }

    private List<Contest> chosen() {
        List<Integer> known = CONTESTS.stream().map(Contest::number).toList();
        for (Integer number : only) {
            if (!known.contains(number)) {
                throw new ParameterException(
                        spec.commandLine(), "--only " + number + ": there is no such contest; there are " + known);
            }
        }
        return CONTESTS.stream()
                .filter(contest -> only.isEmpty() || only.contains(contest.number()))
                .toList();
    }
}
