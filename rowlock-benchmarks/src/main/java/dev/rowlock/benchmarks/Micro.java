package dev.rowlock.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The microbenchmarks, run by JMH in processes of their own: what Rowlock does before and after the database. */
final class Micro {
    private static final String PACKAGE = "dev.rowlock.";
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private Micro() {}

    /**
     * How much is measured.
     *
     * @param forks processes, one after the other; 0 for this one
     * @param rounds of each, and as many to warm up
     */
    record Plan(int forks, int rounds, TimeValue round) {
        static final Plan FULL = new Plan(3, 5, TimeValue.seconds(1));
        static final Plan QUICK = new Plan(1, 3, TimeValue.milliseconds(500));

        String words() {
            return forks + " processes, " + rounds + " rounds of " + round + " behind as many to warm up";
        }
    }

    /**
     * What was measured.
     *
     * @param nanos of one operation, on average
     * @param error half of the interval in which that is with 99.9 % of confidence
     * @param bytes allocated by one operation
     */
    record Measured(String name, double nanos, double error, double bytes) {
        @SuppressWarnings("rawtypes") // JMH tells of its results in raw types
        static Measured of(RunResult result) {
            String benchmark = result.getParams().getBenchmark();
            String rows = result.getParams().getParamsKeys().contains("rows")
                    ? ", rows " + result.getParams().getParam("rows")
                    : "";
            Result time = result.getPrimaryResult();
            double bytes = result.getSecondaryResults().entrySet().stream()
                    .filter(one -> one.getKey().endsWith(ALLOCATED))
                    .mapToDouble(one -> one.getValue().getScore())
                    .findFirst()
                    .orElse(Double.NaN);
            return new Measured(
                    benchmark.substring(PACKAGE.length()) + rows, time.getScore(), time.getScoreError(), bytes);
        }

        List<String> cells() {
            return List.of(
                    name,
                    String.format(Locale.ROOT, "%,.0f", nanos),
                    Double.isNaN(error) ? "-" : String.format(Locale.ROOT, "%,.0f", error),
                    String.format(Locale.ROOT, "%,.0f", bytes));
        }
    }

    static final List<String> HEAD = List.of("what", "ns/op", "+/-", "bytes/op");

    /** @throws RunnerException also if a way of doing the work does not come to the same as the other one */
    static List<Measured> run(Database database, Plan plan) throws RunnerException {
        Options options = new OptionsBuilder()
                .include("dev\\.rowlock\\.(RowMapping|SqlBuilding)Benchmark\\..*")
                .param("port", Integer.toString(database.port()))
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(plan.forks())
                .warmupIterations(plan.rounds())
                .warmupTime(plan.round())
                .measurementIterations(plan.rounds())
                .measurementTime(plan.round())
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        return new Runner(options).run().stream().map(Measured::of).toList();
    }

    static List<String> lines(List<Measured> results) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%-40s%12s%10s%12s", HEAD.toArray()));
        results.forEach(one -> lines.add(
                String.format(Locale.ROOT, "%-40s%12s%10s%12s", one.cells().toArray())));
        return lines;
    }

    static void page(Path folder, Environment environment, Plan plan, List<Measured> results) throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                "# Microbenchmarks",
                "",
                "Measured " + environment.date() + " with `./rowlock bench --micro`, by JMH: " + plan.words() + ". "
                        + environment.machine() + ". Averages; the error is half of the interval of 99.9 % confidence.",
                "",
                "`RowMapping` reads a result of eight columns into rows, by Rowlock for whatever columns there are, and by hand for"
                        + " known ones; the driver has the result already. `SqlBuilding` goes from the call of `Update` to what is"
                        + " handed to the driver, beside a constant text with a list of its values. Both ways must come to the same.",
                "",
                "| " + String.join(" | ", HEAD) + " |",
                "|---|---:|---:|---:|"));
        results.forEach(one -> lines.add("| " + String.join(" | ", one.cells()) + " |"));
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("microbenchmarks.md"), String.join("\n", lines) + "\n");
    }
}
