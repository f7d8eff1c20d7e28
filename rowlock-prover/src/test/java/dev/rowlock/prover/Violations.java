package dev.rowlock.prover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import dev.rowlock.prover.engine.Verdict.Violated;

/** That a race is bad, and in which way. */
final class Violations {
    private Violations() {}

    /** It is, in this way; what was found comes back. */
    static Violated assertViolated(Race race, Anomaly anomaly) {
        Verdict verdict = race.explore().verdict();
        assertThat(verdict)
                .isInstanceOfSatisfying(
                        Violated.class,
                        violated -> assertThat(violated.anomaly()).isEqualTo(anomaly));
        return (Violated) verdict;
    }
}
