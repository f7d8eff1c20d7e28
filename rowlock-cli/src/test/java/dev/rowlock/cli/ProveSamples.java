package dev.rowlock.cli;

import dev.rowlock.prover.engine.ActorResult;
import dev.rowlock.prover.engine.ActorResult.Status;
import dev.rowlock.prover.engine.ActorResult.StepResult;
import dev.rowlock.prover.engine.Execution;
import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.Scenarios;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A scenario and a report of it, made by hand. */
final class ProveSamples {
    static final String SCRIPT = "<script>alert('a & b')</script>";

    private ProveSamples() {}

    static Scenario scenario(String name) {
        return Scenarios.parse(name, "session a step ra { SELECT 1; } session b step rb { SELECT 2; }");
    }

    /** Session b waits for a, which is then aborted; everything that can be text is {@link #SCRIPT}. */
    static Report violated() {
        StepResult read = new StepResult(
                "ra", "SELECT '" + SCRIPT + "'", List.of(List.of(SCRIPT)), Optional.of("40001 " + SCRIPT));
        StepResult write = new StepResult("rb", "UPDATE t", List.of(), Optional.empty());
        Execution execution = new Execution(
                List.of(new Execution.Step(1, "rb", Set.of(0), 1), new Execution.Step(0, "ra", Set.of(), 1)),
                List.of(
                        new ActorResult(Status.ABORTED, Optional.of("40001"), Optional.empty(), List.of(read)),
                        new ActorResult(Status.COMMITTED, Optional.empty(), Optional.empty(), List.of(write))));
        return new Report(
                new Verdict.Violated(execution, Verdict.Anomaly.NON_SERIALIZABLE, "wrong: " + SCRIPT, List.of()),
                2,
                0,
                Optional.of(BigInteger.TWO),
                true,
                1,
                1,
                0,
                2,
                List.of(
                        new Report.Counted("b committed " + SCRIPT, 1, false, true),
                        new Report.Counted("both", 1, true, false)),
                Optional.empty());
    }
}
