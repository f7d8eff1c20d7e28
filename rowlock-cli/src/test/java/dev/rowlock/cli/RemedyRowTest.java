package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.engine.Execution;
import dev.rowlock.prover.engine.Remedy;
import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.Scenarios;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RemedyRowTest {
    private static String note(String session, Verdict verdict, long aborted) {
        Scenario scenario = Scenarios.parse(
                "x.race", "session a retry 2 step ra { SELECT 1; } session b " + session + " step rb { SELECT 2; }");
        Report report =
                new Report(verdict, 6, 0, Optional.empty(), true, 0, aborted, 1, 4, List.of(), Optional.empty());
        RemedyRow row = RemedyRow.of(scenario, new Remedy.Tried("SERIALIZABLE", report));
        assertThat(row.counts()).containsExactly("6", "4", Long.toString(aborted), "1");
        return row.note();
    }

    @Test
    void abortsAskTheCallerToRetryUnlessTheSessionsDo() {
        Verdict proved = new Verdict.Proved();

        assertThat(note("", proved, 0)).isEmpty();
        assertThat(note("", proved, 3)).isEqualTo("the caller must retry what is aborted");
        assertThat(note("retry 2", proved, 3)).isEqualTo("the retries are not enough");
    }

    @Test
    void reasonsAreTold() {
        assertThat(note("", new Verdict.Undecided(List.of("no time", "no budget")), 3))
                .isEqualTo("no time; no budget");
        assertThat(note("", ProveSamples.violated().verdict(), 3)).isEqualTo("non-serializable");
    }

    @Test
    void invariantThatAnAbortBreaksIsToldApart() {
        Verdict.Violated sample = (Verdict.Violated) ProveSamples.violated().verdict();
        Execution nobodyAborted =
                new Execution(List.of(), sample.execution().results().subList(1, 2));

        assertThat(note("", broken(sample.execution()), 3))
                .isEqualTo("broken-invariant, where an aborted session is not retried");
        assertThat(note("", broken(nobodyAborted), 3)).isEqualTo("broken-invariant");
    }

    private static Verdict broken(Execution execution) {
        return new Verdict.Violated(execution, Verdict.Anomaly.BROKEN_INVARIANT, "it does not hold", List.of());
    }

    @Test
    void whatCannotBeHadHasNoCounts() {
        RemedyRow row = RemedyRow.of(
                ProveSamples.scenario("x"), new Remedy.Impossible("a row lock on r", List.of("not allowed")));

        assertThat(row.cells()).containsExactly("a row lock on r", "impossible", "-", "-", "-", "-", "not allowed");
        assertThat(row.cells()).hasSameSizeAs(RemedyRow.HEADS);
    }
}
