package dev.rowlock.prover.transcript;

import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.SqlBlock;
import dev.rowlock.prover.transcript.StepWatch.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs one permutation from setup to teardown. */
final class PermutationRun {
    private final Scenario scenario;
    private final Lineup lineup;
    private final StepWatch watch;
    private final Printer out;
    private final Duration limit;
    private final List<PlannedStep> waiting = new ArrayList<>();

    PermutationRun(Scenario scenario, Lineup lineup, StepWatch watch, Printer out, Duration limit) {
        this.scenario = scenario;
        this.lineup = lineup;
        this.watch = watch;
        this.out = out;
        this.limit = limit;
    }

    void run(List<PlannedStep> steps) throws IOException {
        out.print("\nstarting permutation: "
                + steps.stream().map(PlannedStep::name).collect(Collectors.joining(" ")) + "\n");
        setUp();
        for (PlannedStep step : steps) {
            awaitIdle(lineup.member(step.session()));
            watch.start(step);
            boolean finished = watch.look(step);
            watch.lookAgain(waiting, Patience.UNTIL_BLOCKED);
            if (!finished) {
                waiting.add(step);
            }
        }
        watch.lookAgain(waiting, Patience.UNTIL_ANSWERED);
        if (!waiting.isEmpty()) {
            throw new TranscriptException("failed to complete permutation due to mutually-blocking steps\n");
        }
        tearDown();
    }

    /**
     * The session may still be in an earlier step. Whether that one finishes depends on the server, and on the other steps that
     * hold it back.
     */
    private void awaitIdle(Member member) throws IOException {
        long begin = System.nanoTime();
        for (PlannedStep old = member.active(); old != null; old = member.active()) {
            if (watch.lookAgain(old, Patience.UNTIL_ANSWERED)) {
                waiting.remove(old);
            }
            watch.lookAgain(waiting, Patience.UNTIL_BLOCKED);
            Duration spent = Duration.ofNanos(System.nanoTime() - begin);
            PlannedStep active = member.active();
            if (active != null && spent.compareTo(limit.multipliedBy(2)) > 0) {
                String others = lineup.members().stream()
                        .map(Member::active)
                        .filter(step -> step != null)
                        .map(step -> " " + step.name())
                        .collect(Collectors.joining());
                throw new TranscriptException(StepWatch.timedOut(active, spent) + "active steps are:" + others + "\n");
            }
        }
    }

    private void setUp() throws IOException {
        for (SqlBlock setup : scenario.setups()) {
            require("setup failed: ", run(lineup.control(), setup));
        }
        for (Member member : lineup.members()) {
            Optional<SqlBlock> setup = member.spec().setup();
            if (setup.isPresent()) {
                require("setup of session " + member.name() + " failed: ", run(member.session(), setup.get()));
            }
        }
    }

    private static void require(String failure, @Nullable String error) {
        if (error != null) {
            throw new TranscriptException(failure + error);
        }
    }

    /** What fails here is told and does not stop the rest. */
    private void tearDown() throws IOException {
        for (Member member : lineup.members()) {
            Optional<SqlBlock> teardown = member.spec().teardown();
            if (teardown.isPresent()) {
                tell("teardown of session " + member.name() + " failed: ", run(member.session(), teardown.get()));
            }
        }
        if (scenario.teardown().isPresent()) {
            tell("teardown failed: ", run(lineup.control(), scenario.teardown().get()));
        }
    }

    private void tell(String failure, @Nullable String error) {
        if (error != null) {
            out.print(failure + error);
        }
    }

    /** Shows the rows of the last statement; what went wrong, or null. An empty block counts as wrong, without a reason. */
    private @Nullable String run(PgSession session, SqlBlock block) throws IOException {
        Answer last = session.run(block.trimmed(), limit.multipliedBy(2));
        if (last instanceof Answer.Rows rows) {
            out.print(rows);
            return null;
        }
        if (last instanceof Answer.Failed failed) {
            return failed.full();
        }
        return last instanceof Answer.Nothing ? "" : null;
    }
}
