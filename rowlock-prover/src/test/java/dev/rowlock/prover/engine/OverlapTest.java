package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.scenario.Scenarios;
import java.util.Optional;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Two statements that overlap inside the server do what no order of them does. */
class OverlapTest {
    /** Each takes 80 of an account of its own if the sum of both allows it. */
    private static final String GUARDED_BY_A_SUM = """
            setup {
              CREATE TABLE account (id int PRIMARY KEY, balance int NOT NULL);
              INSERT INTO account VALUES (1, 50), (2, 50);
            }
            session a
            step take_a { UPDATE account SET balance = balance - 80
                          WHERE id = 1 AND (SELECT sum(balance) FROM account) >= 80; }
            session b
            step take_b { UPDATE account SET balance = balance - 80
                          WHERE id = 2 AND (SELECT sum(balance) FROM account) >= 80; }
            invariant "together never below zero" { SELECT sum(balance) >= 0 FROM account; }
            """;

    @Test
    void withoutOverlapStatementsLookSafe() {
        assertThat(explore(GUARDED_BY_A_SUM, TestServer.LIMITS).verdict()).isInstanceOf(Verdict.Proved.class);
    }

    @RepeatedTest(3)
    void withOverlapTheyAreFound() {
        Report report = explore(GUARDED_BY_A_SUM, TestServer.LIMITS.withOverlap());

        assertThat(report.verdict()).isInstanceOfSatisfying(Verdict.Violated.class, violated -> {
            assertThat(violated.anomaly()).isEqualTo(Verdict.Anomaly.WRITE_SKEW);
            assertThat(violated.why()).contains("together never below zero");
            assertThat(violated.execution().schedule()).contains("finish(take_a)");
        });
    }

    @Test
    void lockOnWhatIsSummedHoldsWithOverlapToo() {
        String locked = GUARDED_BY_A_SUM
                .replace(
                        "session a\n",
                        "session a transaction\nstep lock_a { SELECT 1 FROM account ORDER BY id FOR UPDATE; }\n")
                .replace(
                        "session b\n",
                        "session b transaction\nstep lock_b { SELECT 1 FROM account ORDER BY id FOR UPDATE; }\n");

        assertThat(explore(locked, TestServer.LIMITS.withOverlap()).verdict()).isInstanceOf(Verdict.Proved.class);
    }

    private static Report explore(String race, Explorer.Limits limits) {
        return TestServer.explore(Scenarios.parse("test", race), Optional.empty(), limits);
    }
}
