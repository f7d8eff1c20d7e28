package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.engine.ActorResult.Status;
import dev.rowlock.prover.engine.ActorResult.StepResult;
import dev.rowlock.prover.scenario.Scenarios;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a person reads of a schedule. */
class DrawingTest {
    private static final List<String> ACTORS = List.of("a", "b");

    @Test
    void waiterShowsItsResultWhereItComesBack() {
        Execution execution = new Execution(
                List.of(
                        new Execution.Step(0, "lock_a", Set.of(), 0),
                        new Execution.Step(1, "lock_b", Set.of(0), 3),
                        new Execution.Step(0, "write_a", Set.of(), 2),
                        new Execution.Step(0, "commit(a)", Set.of(), 3),
                        new Execution.Step(1, "commit(b)", Set.of(), 4)),
                List.of(
                        committed(
                                step("lock_a", "SELECT n FROM t FOR UPDATE", "1"),
                                step("write_a", "UPDATE t\n   SET n = 2")),
                        committed(step("lock_b", "SELECT n FROM t FOR UPDATE", "2"))));

        assertThat(String.join("\n", Drawing.of(ACTORS, execution))).isEqualTo("""
                a                                   b
                ----------------------------------------------------------------------
                lock_a: SELECT n FROM t FOR UPDATE
                -> 1
                                                    lock_b: SELECT n FROM t FOR UPDATE
                                                    ┆ waits for a
                write_a: UPDATE t SET n = 2         ┆
                commit(a)                           ┆
                                                    ┆ lock_b goes on
                                                    -> 2
                                                    commit(b)
                ----------------------------------------------------------------------
                committed                           committed""");
    }

    @Test
    void errorsSkippedStepsAndEndsAreTold() {
        Execution execution = new Execution(
                List.of(
                        new Execution.Step(0, "s", Set.of(), 0),
                        new Execution.Step(0, "t", Set.of(), 1),
                        new Execution.Step(0, "commit(a)", Set.of(), 2),
                        new Execution.Step(1, "u", Set.of(), 3)),
                List.of(
                        new ActorResult(
                                Status.ABORTED,
                                Optional.of("40001"),
                                Optional.empty(),
                                List.of(
                                        new StepResult("s", "SELECT 1", List.of(), Optional.of("40001 no")),
                                        step("t", ""))),
                        new ActorResult(
                                Status.REJECTED, Optional.empty(), Optional.empty(), List.of(step("u", "SELECT 2")))));

        assertThat(Drawing.of(ACTORS, execution))
                .contains("!! 40001 no", "t: (skipped)", "commit(a): (skipped)")
                .last()
                .isEqualTo("aborted by 40001      rejected itself");
    }

    @Test
    void wideSqlIsWrappedInsideItsColumnAndNothingIsLost() {
        String sql = "UPDATE wallet SET balance = balance - 80 WHERE id = 1 AND balance >= 80 RETURNING balance";
        Execution execution = new Execution(
                List.of(new Execution.Step(1, "u", Set.of(), 0)), List.of(committed(), committed(step("u", sql))));

        List<String> lines = Drawing.of(ACTORS, execution, new Drawing.Style(60, true, (kind, actor, text) -> text));

        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(60));
        assertThat(lines.subList(2, lines.size() - 2))
                .hasSizeGreaterThan(3)
                .allSatisfy(line -> assertThat(line).startsWith(" ".repeat(31)))
                .extracting(String::strip)
                .satisfies(pieces -> assertThat(String.join(" ", pieces)).isEqualTo("u: " + sql));
    }

    @Test
    void manyRowsAreCounted() {
        StepResult read =
                new StepResult("r", "SELECT", Collections.nCopies(12, List.of("1", "NULL")), Optional.empty());
        Execution execution =
                new Execution(List.of(new Execution.Step(0, "r", Set.of(), 0)), List.of(committed(read), committed()));

        assertThat(Drawing.of(ACTORS, execution))
                .filteredOn("-> 1 | NULL"::equals)
                .hasSize(10);
        assertThat(Drawing.of(ACTORS, execution)).contains("-> and 2 more rows");
    }

    @Test
    void inkTakesNoRoomAndAsciiIsEnough() {
        Execution execution = new Execution(
                List.of(new Execution.Step(0, "x", Set.of(1), 1), new Execution.Step(1, "y", Set.of(), 1)),
                List.of(committed(step("x", "SELECT 1")), committed(step("y", "SELECT 2"))));

        List<String> plain = Drawing.of(ACTORS, execution, new Drawing.Style(80, false, (kind, actor, text) -> text));
        List<String> inked = Drawing.of(
                ACTORS,
                execution,
                new Drawing.Style(80, false, (kind, actor, text) -> "\u001b[1m" + text + "\u001b[0m"));

        assertThat(plain).contains(": waits for b");
        assertThat(String.join("\n", plain)).matches("\\A\\p{ASCII}*\\z");
        assertThat(inked)
                .extracting(line -> line.replaceAll("\u001b\\[\\dm", ""))
                .isEqualTo(plain);
    }

    @Test
    void waiterComesBackWithTheStepThatLetsItGo() {
        Report report = TestServer.explore(Scenarios.parse("test", """
                setup { CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 0), (2, 0); }
                session a transaction
                step a1 { UPDATE t SET n = n + 1 WHERE id = 1; }
                step a2 { UPDATE t SET n = n + 1 WHERE id = 2; }
                session b transaction
                step b2 { UPDATE t SET n = n + 1 WHERE id = 2; }
                step b1 { UPDATE t SET n = n + 1 WHERE id = 1; }
                """), Optional.empty());

        assertThat(report.verdict()).isInstanceOfSatisfying(Verdict.Violated.class, violated -> {
            Execution execution = violated.execution();
            Execution.Step waiter = execution.steps().stream()
                    .filter(step -> !step.waitsFor().isEmpty())
                    .findFirst()
                    .orElseThrow();
            int victim = IntStream.range(0, execution.steps().size())
                    .filter(i -> execution.inOrder().get(i).error().isPresent())
                    .findFirst()
                    .orElseThrow();
            assertThat(waiter.backAt()).isEqualTo(victim);
            assertThat(execution.steps().get(victim).backAt()).isEqualTo(victim);
        });
    }

    @Test
    void retriedActorsLastAttemptIsWhatIsDrawn() {
        Execution execution = new Execution(
                List.of(
                        new Execution.Step(0, "r", Set.of(), 0),
                        new Execution.Step(0, "commit(a)", Set.of(), 1),
                        new Execution.Step(0, "r", Set.of(), 2),
                        new Execution.Step(0, "commit(a)", Set.of(), 3)),
                List.of(committed(step("r", "SELECT 1", "7"))));

        assertThat(Drawing.of(List.of("a"), execution))
                .containsSubsequence("r", "commit(a)", "r: SELECT 1", "-> 7", "commit(a)");
    }

    private static ActorResult committed(StepResult... steps) {
        return new ActorResult(Status.COMMITTED, Optional.empty(), Optional.empty(), List.of(steps));
    }

    private static StepResult step(String name, String sql, String... row) {
        return new StepResult(name, sql, row.length == 0 ? List.of() : List.of(List.of(row)), Optional.empty());
    }
}
