package dev.rowlock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.benchmarks.Comparison.Figure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs everything for a moment: that it works, and that a wrong result is found out. How fast it is does not matter here. */
class RunnerTest {
    private static final Bench.Plan SHORT =
            new Bench.Plan(1, Duration.ofMillis(50), Duration.ofMillis(10), Duration.ofMillis(50), true);

    private static Database database;
    private static Bench bench;

    @BeforeAll
    static void start() throws Exception {
        database = Database.start();
        bench = new Bench(database, SHORT);
    }

    @AfterAll
    static void stop() throws Exception {
        database.close();
    }

    /** Writes what it makes of a value that it read before others wrote: the oldest race. */
    private static Contender.Opener losesUpdates() {
        return Rows.of(
                1,
                1,
                pool -> caller -> () -> {
                    try (var connection = pool.getConnection();
                            var update = connection.prepareStatement("UPDATE item SET amount = ?")) {
                        update.setLong(1, Rows.PLENTY - 1);
                        Rows.requireOne(update.executeUpdate());
                    }
                },
                Rows.taken(1));
    }

    @Test
    void numberOfWhoLosesUpdatesIsVoid() throws Exception {
        Trial trial = new Runner(bench).run(bench.entrant("naive", 2, losesUpdates()), Duration.ofMillis(300));

        assertThat(trial.wrong()).contains("were taken and 999999999 is left");
    }

    @Test
    void operationThatFailsVoidsTheNumber() throws Exception {
        Contender.Opener failing = Rows.of(
                1,
                1,
                pool -> caller -> () -> {
                    throw new IllegalStateException("out of order");
                },
                (all, operations) -> {});

        Trial trial = new Runner(bench).run(bench.entrant("failing", 1, failing), Duration.ofMillis(20));

        assertThat(trial.wrong()).contains("out of order");
    }

    @Test
    void whatAnOperationUsesIsCounted() throws Exception {
        Trial trial = new Runner(bench).run(bench.entrant("counter", 4, HotRow.guarded()), Duration.ofMillis(300));

        assertThat(trial.wrong()).isNull();
        assertThat(trial.perSecond()).isPositive();
        assertThat(trial.p99Micros()).isGreaterThanOrEqualTo(trial.p50Micros());
        // The control session's own, and autovacuum's, come on top of one for each operation.
        assertThat(trial.use().commits()).isGreaterThanOrEqualTo(1);
        assertThat(trial.use().walBytes()).isPositive();
    }

    @Test
    void everyContestWorksAndItsResultsCanBeWritten(@TempDir Path folder) throws Exception {
        for (Contest contest :
                List.of(new HotRow(), new Transfers(), new Uncontended(), new Idempotent(), new Distance())) {
            Contest.Result result = contest.run(bench);

            assertThat(result.comparisons())
                    .isNotEmpty()
                    .allSatisfy(comparison ->
                            assertThat(comparison.why()).as(comparison.what()).isNull());
            ResultFiles.page(folder, Environment.of(database, SHORT), List.of(result));
            assertThat(Files.readString(folder.resolve("performance.md")))
                    .contains("## " + contest.number() + ". ", "charts/bench-" + contest.number() + ".svg");
            assertThat(Files.readString(folder.resolve("charts/bench-" + contest.number() + ".svg")))
                    .contains("<rect")
                    .doesNotContain("void");
        }
    }

    @Test
    void jsonHasEveryTrial(@TempDir Path folder) throws Exception {
        Trial trial = new Trial("a", 1, 2, 3, new Usage(1, 2, 3, 4), null);
        Map<String, List<Trial>> trials = Map.of("a", List.of(trial));
        Contest.Result result = new Contest.Result(
                1, "t", trials, List.of(Comparison.of(trials, "a", "a", Figure.THROUGHPUT, 1, true)), List.of());
        Path file = folder.resolve("bench.json");

        ResultFiles.json(file, Environment.of(database, SHORT), List.of(result));

        JsonNode json = new JsonMapper().readTree(Files.readString(file));
        JsonNode contest = json.get("contests").get(0);
        assertThat(contest.get("trials")
                        .get("a")
                        .get(0)
                        .get("use")
                        .get("walBytes")
                        .asDouble())
                .isEqualTo(2);
        assertThat(contest.get("comparisons").get(0).get("ratio").get("median").asDouble())
                .isEqualTo(1);
        assertThat(json.get("environment").get("settings").asString()).contains("fsync on", "synchronous_commit on");
    }
}
