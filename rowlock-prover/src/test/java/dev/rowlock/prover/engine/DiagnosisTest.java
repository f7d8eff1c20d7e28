package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.engine.Verdict.Anomaly;
import dev.rowlock.prover.engine.Verdict.Violated;
import dev.rowlock.prover.scenario.Scenarios;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What went wrong has the field's name, and the two statements that make it are the ones. */
class DiagnosisTest {
    private static final String TABLES = """
            setup {
              CREATE TABLE account (id int PRIMARY KEY, balance int NOT NULL);
              INSERT INTO account VALUES (1, 100), (2, 100);
              CREATE TABLE booking (room int, guest text);
            }
            """;

    @Test
    void overwrittenChangeIsALostUpdate() {
        Violated violated = violated("""
                session a transaction
                step ra into x { SELECT balance FROM account WHERE id = 1; }
                step wa        { UPDATE account SET balance = :x - 1 WHERE id = 1; }
                session b transaction
                step rb into x { SELECT balance FROM account WHERE id = 1; }
                step wb        { UPDATE account SET balance = :x - 2 WHERE id = 1; }
                """);

        assertThat(violated.anomaly()).isEqualTo(Anomaly.LOST_UPDATE);
        assertThat(violated.why()).contains("read account id=1 as 100", "is lost");
        assertThat(culprits(violated)).containsExactlyInAnyOrder("wa", "wb");
    }

    @Test
    void decisionsOnEachOthersRowsAreAWriteSkew() {
        Violated violated = violated("""
                session a transaction
                step ra into s { SELECT sum(balance) FROM account; }
                step wa when { :s >= 150 } { UPDATE account SET balance = balance - 150 WHERE id = 1; }
                session b transaction
                step rb into s { SELECT sum(balance) FROM account; }
                step wb when { :s >= 150 } { UPDATE account SET balance = balance - 150 WHERE id = 2; }
                """);

        assertThat(violated.anomaly()).isEqualTo(Anomaly.WRITE_SKEW);
        assertThat(culprits(violated)).containsExactlyInAnyOrder("wa", "wb");
    }

    @Test
    void rowsThatAppearBehindALookAreAPhantom() {
        Violated violated = violated("""
                session a transaction
                step ra into n { SELECT count(*) FROM booking WHERE room = 1; }
                step wa when { :n = 0 } { INSERT INTO booking VALUES (1, 'a'); }
                session b transaction
                step rb into n { SELECT count(*) FROM booking WHERE room = 1; }
                step wb when { :n = 0 } { INSERT INTO booking VALUES (1, 'b'); }
                """);

        assertThat(violated.anomaly()).isEqualTo(Anomaly.PHANTOM);
        assertThat(culprits(violated)).containsExactlyInAnyOrder("wa", "wb");
    }

    @Test
    void halfOfATransferSeenIsAReadSkew() {
        Violated violated = violated("""
                session reader transaction
                step r1 { SELECT balance FROM account WHERE id = 1; }
                step r2 { SELECT balance FROM account WHERE id = 2; }
                session mover
                step move { UPDATE account SET balance = balance + CASE id WHEN 1 THEN -10 ELSE 10 END; }
                """);

        assertThat(violated.anomaly()).isEqualTo(Anomaly.READ_SKEW);
        assertThat(violated.why()).contains("saw half of what mover did");
        assertThat(culprits(violated)).containsExactly("r1", "r2");
    }

    @Test
    void brokenInvariantWithoutARaceIsToldAsSuch() {
        Violated violated = violated("""
                session a
                step w { UPDATE account SET balance = -1 WHERE id = 1; }
                invariant "never below zero" { SELECT min(balance) >= 0 FROM account; }
                """);

        assertThat(violated.anomaly()).isEqualTo(Anomaly.BROKEN_INVARIANT);
        assertThat(violated.why()).contains("never below zero", "no race is needed");
    }

    @Test
    void deadlockNamesWhoWaitsAndWhoAsks() {
        Violated violated = violated("""
                session a transaction
                step a1 { UPDATE account SET balance = balance WHERE id = 1; }
                step a2 { UPDATE account SET balance = balance WHERE id = 2; }
                session b transaction
                step b2 { UPDATE account SET balance = balance WHERE id = 2; }
                step b1 { UPDATE account SET balance = balance WHERE id = 1; }
                """);

        assertThat(violated.anomaly()).isEqualTo(Anomaly.DEADLOCK);
        assertThat(culprits(violated)).containsExactlyInAnyOrder("a2", "b1");
    }

    private static List<String> culprits(Violated violated) {
        return violated.culprits().stream()
                .map(place -> violated.execution().steps().get(place).name())
                .toList();
    }

    private static Violated violated(String sessions) {
        Report report = TestServer.explore(Scenarios.parse("test", TABLES + sessions), Optional.empty());
        assertThat(report.verdict()).isInstanceOf(Violated.class);
        return (Violated) report.verdict();
    }
}
