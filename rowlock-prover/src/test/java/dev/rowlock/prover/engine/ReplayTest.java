package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rowlock.prover.engine.Verdict.Undecided;
import dev.rowlock.prover.engine.Verdict.Violated;
import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.Scenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One schedule, run again by the names of its steps. */
class ReplayTest {
    private static final Path EXAMPLES = Path.of("../examples");

    static Stream<Path> broken() throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files.filter(file -> file.toString().endsWith("-broken.race")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("broken")
    void scheduleThatIsReportedGoesWrongInTheSameWayAgain(Path file) {
        Scenario scenario = Scenarios.read(file);
        Violated found = violated(TestServer.explore(scenario, Optional.empty()));

        Report again =
                TestServer.replay(scenario, Optional.empty(), found.execution().schedule());

        assertThat(violated(again)).isEqualTo(found);
        assertThat(again.schedules()).isEqualTo(1);
        assertThat(again.replayed()).hasValue(found.execution());
    }

    @Test
    void goodScheduleIsShownAndUndecided() {
        Report report =
                TestServer.replay(wallet(), Optional.empty(), "read_a charge_a commit(a) read_b charge_b commit(b)");

        assertThat(report.verdict()).isEqualTo(new Undecided(List.of("only the given schedule was run")));
        assertThat(report.shown().orElseThrow().schedule())
                .isEqualTo("read_a charge_a commit(a) read_b charge_b commit(b)");
        assertThat(report.outcomes())
                .singleElement()
                .satisfies(outcome -> assertThat(outcome.serial()).isTrue());
        assertThat(report.waits()).isZero();
    }

    @Test
    void behindTheLastStepGivenSessionsGoOnInTheirOrder() {
        Report report = TestServer.replay(wallet(), Optional.empty(), "read_b");

        assertThat(report.shown().orElseThrow().schedule())
                .isEqualTo("read_b read_a charge_a commit(a) charge_b commit(b)");
        assertThat(report.verdict()).isInstanceOf(Violated.class);
    }

    @Test
    void stepThatWaitsIsCounted() {
        Report report = TestServer.replay(wallet(), Optional.empty(), "read_a read_b charge_a charge_b");

        assertThat(report.waits()).isEqualTo(1);
    }

    @Test
    void stepThatCannotBeTakenThereIsNamed() {
        Report report = TestServer.replay(wallet(), Optional.empty(), "read_a read_a");

        assertThat(report.replayed()).isEmpty();
        assertThat(report.verdict())
                .isInstanceOfSatisfying(
                        Undecided.class,
                        undecided -> assertThat(undecided.reasons())
                                .contains("step 2 of the given schedule, read_a, cannot be taken there; what can is"
                                        + " charge_a, read_b"));
    }

    @Test
    void namesThatAreNoStepsAreTold() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TestServer.replay(wallet(), Optional.empty(), "read_a raed_b commit(c) raed_b"))
                .withMessageContaining("has no step raed_b commit(c); its steps are read_a charge_a commit(a) read_b"
                        + " charge_b commit(b)");
    }

    @Test
    void namesWithBlanksAreReplayedAsTheyAreReported() {
        Scenario scenario = Scenarios.parse("test", """
                setup { CREATE TABLE t (n int); INSERT INTO t VALUES (0); }
                session "my one" transaction
                step "read it" into n { SELECT n FROM t; }
                step "write it" { UPDATE t SET n = :n + 1; }
                session b
                step wb { UPDATE t SET n = n + 1; }
                """);
        Violated found = violated(TestServer.explore(scenario, Optional.empty()));

        assertThat(found.execution().schedule()).contains("\"read it\"", "\"commit(my one)\"");
        assertThat(violated(TestServer.replay(
                        scenario, Optional.empty(), found.execution().schedule())))
                .isEqualTo(found);
    }

    private static Scenario wallet() {
        return Scenarios.read(EXAMPLES.resolve("wallet-double-charge-broken.race"));
    }

    private static Violated violated(Report report) {
        assertThat(report.verdict()).isInstanceOf(Violated.class);
        return (Violated) report.verdict();
    }
}
