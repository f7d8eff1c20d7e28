package dev.rowlock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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

/** Whether jobs of a killed process are seen to run elsewhere, and whether a second run of one is found. */
class TakeOverTest {
    private static Database database;
    private static Bench bench;

    @BeforeAll
    static void start() throws Exception {
        database = Database.start();
        bench = new Bench(database, Bench.Plan.QUICK);
    }

    @AfterAll
    static void stop() throws Exception {
        database.close();
    }

    @Test
    void jobsOfAKilledProcessRunElsewhereOnce() throws Exception {
        Trial trial = TakeOver.killed(bench, TakeOverKind.ROWLOCK);

        assertThat(trial.wrong()).isNull();
        assertThat(trial.p99Micros()).isGreaterThanOrEqualTo(trial.p50Micros()).isPositive();
    }

    @Test
    void completionFromBeforeTheTakeOverIsRefused() throws Exception {
        assertThat(TakeOver.stoodStill(bench).wrong()).isNull();
    }

    @Test
    void secondRunOfAJobIsFound() throws Exception {
        TakenOver here = new TakenOver(2);
        here.letEnd();
        here.run(0);
        here.run(1);
        here.requireEachOnce();
        here.run(1);

        assertThatExceptionOfType(WrongResultException.class)
                .isThrownBy(here::requireEachOnce)
                .withMessage("job 1 ran here 2 times, not once");
    }

    @Test
    void jobThatRunsHereBeforeTheKillIsFound() throws Exception {
        TakenOver here = new TakenOver(2);
        here.requireNone();
        here.letEnd();
        here.run(1);

        assertThatExceptionOfType(WrongResultException.class)
                .isThrownBy(here::requireNone)
                .withMessage("1 jobs ran here while they ran elsewhere");
    }

    @Test
    void timesAloneCanBeShown(@TempDir Path folder) throws Exception {
        Map<String, List<Trial>> trials =
                Map.of("a", List.of(new Trial("a", Double.NaN, 1_000_000, 1_500_000, new Usage(1, 2, 3, 4), null)));
        Comparison within = Comparison.within(trials, "a", Figure.P99_TIME, Duration.ofSeconds(2));
        Contest.Result result = new Contest.Result(9, "t", trials, List.of(within), List.of());

        ResultFiles.page(folder, Environment.of(database, bench.plan()), List.of(result));

        assertThat(within.ratio()).isEqualTo(new Spread(0.75, 0.75, 0.75));
        assertThat(within.met()).hasValue(true);
        assertThat(Files.readString(folder.resolve("performance.md"))).contains("| a | - | 1,000.00 | 1,500.00 |");
        assertThat(Files.readString(folder.resolve("charts/bench-9.svg"))).contains("1,500 ms</text>");
    }
}
