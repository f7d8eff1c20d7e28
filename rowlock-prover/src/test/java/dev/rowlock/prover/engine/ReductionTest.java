package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.engine.Report.Counted;
import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.Scenarios;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the reduction leaves out has no outcome of its own. */
class ReductionTest {
    private static final Explorer.Limits LIMITS =
            new Explorer.Limits(150, Duration.ofSeconds(30), Duration.ofSeconds(20), true);

    static Stream<Path> examples() {
        return files(Path.of("../examples"), ".race");
    }

    static Stream<Path> cases() {
        return files(Path.of("src/test/resources/cases"), ".race");
    }

    static Stream<Path> files(Path folder, String ending) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void outcomesOfExamplesAreTheSameWithoutIt(Path file) {
        compare(file);
    }

    @Tag("deep")
    @ParameterizedTest
    @MethodSource("cases")
    void outcomesOfPublicCasesAreTheSameWithoutIt(Path file) {
        compare(file);
    }

    private static void compare(Path file) {
        Report reduced = explore(file, LIMITS);
        Report full = explore(file, LIMITS.withoutReduction());

        assertThat(reduced.exhaustive()).isTrue();
        assertThat(full.exhaustive()).isTrue();
        assertThat(outcomes(reduced)).isEqualTo(outcomes(full));
        assertThat(reduced.schedules()).isLessThanOrEqualTo(full.schedules());
    }

    /** Three who only read, and one who writes elsewhere: no order among them matters. */
    @Test
    void independentStepsAreRunInOneOrder() {
        Report report = explore(Scenarios.parse("test", """
                setup { CREATE TABLE t (id int PRIMARY KEY); CREATE TABLE u (id int PRIMARY KEY); INSERT INTO t VALUES (1); }
                session a transaction step a1 { SELECT * FROM t; } step a2 { SELECT count(*) FROM t; }
                session b transaction step b1 { SELECT * FROM t; } step b2 { SELECT count(*) FROM t; }
                session c step c1 { INSERT INTO u VALUES (1); }
                """), LIMITS);

        assertThat(report.verdict()).isInstanceOf(Verdict.Proved.class);
        assertThat(report.schedules()).isEqualTo(1);
    }

    @Test
    void updatesOfTwoRowsByTheirKeysAreIndependentUntilSomebodyLooksThroughTheTable() {
        String apart = """
                setup { CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 0), (2, 0); }
                session a transaction step a1 { UPDATE t SET n = n + 1 WHERE id = 1; }
                session b transaction step b1 { UPDATE t SET n = n + 1 WHERE id = 2; }
                """;

        assertThat(explore(Scenarios.parse("test", apart), LIMITS).schedules()).isEqualTo(1);
        assertThat(explore(Scenarios.parse("test", apart + "session c step c1 { SELECT id FROM t LIMIT 1; }"), LIMITS)
                        .schedules())
                .isGreaterThan(2);
    }

    /** A level that a step both begins and uses, or begins and ends, counts for all of the step. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "step a1 { BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1; } step a2 { SELECT n FROM t; } step a3 { COMMIT; }",
                "step a1 { BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT n FROM t; UPDATE u SET n = n + 1; COMMIT; }",
            })
    void levelWithinAStepIsSeen(String steps) {
        Scenario scenario = Scenarios.parse("test", """
                setup { CREATE TABLE t (n int); INSERT INTO t VALUES (0); CREATE TABLE u (n int); INSERT INTO u VALUES (0); }
                session a %s
                session b transaction isolation serializable
                step b1 { SELECT n FROM u; } step b2 { UPDATE t SET n = n + 1; }
                """.formatted(steps));

        assertThat(outcomes(explore(scenario, LIMITS)))
                .isEqualTo(outcomes(explore(scenario, LIMITS.withoutReduction())))
                .hasSizeGreaterThan(1);
    }

    /** At REPEATABLE READ it decides what all later queries see, so it depends on every commit. */
    @Test
    void queryWithoutATableTakesASnapshotToo() {
        Scenario scenario = Scenarios.parse("test", """
                setup { CREATE TABLE t (n int); INSERT INTO t VALUES (0); }
                session a transaction isolation repeatable-read
                step a1 { SELECT 1; } step a2 { SELECT n FROM t; }
                session b step b1 { UPDATE t SET n = 1; }
                """);

        Report reduced = explore(scenario, LIMITS);

        assertThat(reduced.outcomes()).hasSize(2);
        assertThat(outcomes(reduced)).isEqualTo(outcomes(explore(scenario, LIMITS.withoutReduction())));
    }

    @Test
    void whatAFunctionOfTheUsersDoesIsNotGuessed() {
        Report report = explore(Scenarios.parse("test", """
                setup { CREATE TABLE t (n int); CREATE FUNCTION f() RETURNS void LANGUAGE sql AS 'INSERT INTO t VALUES (1)'; }
                session a step a1 { SELECT f(); }
                session b step b1 { SELECT f(); }
                """), LIMITS);

        assertThat(report.schedules()).isEqualTo(2);
    }

    static Report explore(Path file, Explorer.Limits limits) {
        return explore(Scenarios.read(file), limits);
    }

    private static Report explore(Scenario scenario, Explorer.Limits limits) {
        return TestServer.explore(scenario, Optional.empty(), limits);
    }

    /** Some specs print names with their schema, and each exploration has a schema of its own. */
    static Set<String> outcomes(Report report) {
        List<Counted> counted = report.outcomes();
        return counted.stream()
                .map(one -> one.outcome().replaceAll("race[0-9]+", "race"))
                .collect(Collectors.toSet());
    }
}
