package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.engine.Remedy.Impossible;
import dev.rowlock.prover.engine.Remedy.Tried;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import dev.rowlock.prover.engine.Verdict.Proved;
import dev.rowlock.prover.engine.Verdict.Violated;
import dev.rowlock.prover.scenario.IsolationLevel;
import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.Scenarios;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which remedies help against a race, and what they cost there. */
class WhatIfTest {
    private static final String COUNTER = """
            setup { CREATE TABLE counter (id int PRIMARY KEY, n int NOT NULL); INSERT INTO counter VALUES (1, 0); }
            setup { CREATE TABLE rate (percent int); INSERT INTO rate VALUES (7); }
            """;

    private final List<String> announced = new ArrayList<>();

    @Test
    void lostUpdateIsLockedAwayWithWaitsAndWithoutAborts() throws SQLException {
        List<Remedy> remedies = remedies(example("wallet-double-charge"));

        assertThat(remedies.stream().map(Remedy::name))
                .startsWith("FOR NO KEY UPDATE on read_a, read_b", "FOR UPDATE on read_a, read_b");
        for (Remedy lock : remedies.subList(0, 2)) {
            Report report = report(lock);
            assertThat(report.verdict()).isInstanceOf(Proved.class);
            assertThat(report.waits()).isPositive().isLessThan(report.schedules());
            assertThat(report.aborted()).isZero();
            assertThat(report.deadlocks()).isZero();
        }
    }

    @Test
    void lostUpdateIsAbortedAwayByHigherLevels() throws SQLException {
        List<Remedy> remedies = remedies(example("wallet-double-charge"));

        assertThat(remedies.get(2).name()).isEqualTo("REPEATABLE READ");
        assertThat(remedies.get(3).name()).isEqualTo("SERIALIZABLE");
        for (Remedy level : remedies.subList(2, 4)) {
            assertThat(report(level).verdict()).isInstanceOf(Proved.class);
            assertThat(report(level).aborted()).isPositive();
            assertThat(report(level).deadlocks()).isZero();
        }
    }

    @Test
    void sharedLocksThatAreThenRaisedDeadlock() throws SQLException {
        Report report = report(named(remedies(example("wallet-double-charge")), "FOR SHARE on read_a, read_b"));

        assertThat(report.verdict())
                .isInstanceOfSatisfying(
                        Violated.class,
                        violated -> assertThat(violated.anomaly()).isEqualTo(Anomaly.DEADLOCK));
        assertThat(report.deadlocks()).isPositive();
        assertThat(report.violating()).isZero();
    }

    @Test
    void oneOfTwoReadsAloneIsNotEnough() throws SQLException {
        List<Remedy> remedies = remedies(example("wallet-double-charge"));

        assertThat(remedies).hasSize(7);
        for (String read : List.of("read_a", "read_b")) {
            assertThat(report(named(remedies, "FOR NO KEY UPDATE on " + read + " alone"))
                            .verdict())
                    .isInstanceOfSatisfying(
                            Violated.class,
                            violated -> assertThat(violated.anomaly()).isEqualTo(Anomaly.LOST_UPDATE));
        }
    }

    @Test
    void writeSkewNeedsSerializable() throws SQLException {
        List<Remedy> remedies = remedies(example("last-owner"));

        assertThat(remedies.stream().map(Remedy::name))
                .containsExactly("SERIALIZABLE", "REPEATABLE READ", "a row lock on count_a, count_b");
        assertThat(report(remedies.get(0)).verdict()).isInstanceOf(Proved.class);
        assertThat(report(remedies.get(0)).aborted()).isPositive();
        assertThat(report(remedies.get(1)).verdict()).isInstanceOf(Violated.class);
        assertThat(reasons(remedies.get(2))).containsExactly("FOR UPDATE is not allowed with aggregate functions");
    }

    @Test
    void deadlockOfWritesHasNoReadToLock() throws SQLException {
        List<Remedy> remedies = remedies(example("opposite-transfers"));

        assertThat(remedies).hasSize(3);
        assertThat(remedies.subList(0, 2))
                .allSatisfy(remedy -> assertThat(report(remedy).verdict()).isInstanceOf(Violated.class));
        assertThat(reasons(remedies.get(2))).singleElement().asString().startsWith("no session reads");
    }

    @Test
    void statementsThatAreNotUnderstoodAreNamed() throws SQLException {
        List<Remedy> remedies = remedies(Scenarios.parse("test", COUNTER + """
                session a transaction
                step read_a into n { SELECT n FROM counter WHERE id = 1; }
                step save_a        { DO 'BEGIN UPDATE counter SET n = 1 WHERE id = 1; END'; }
                session b
                step save_b        { DO 'BEGIN UPDATE counter SET n = n + 5 WHERE id = 1; END'; }
                """));

        assertThat(reasons(named(remedies, "a row lock on reads")))
                .singleElement()
                .asString()
                .contains("not known")
                .endsWith(": save_a, save_b");
    }

    @Test
    void onlyReadsOfWhatIsWrittenAreLockedAndOfThoseOnlyTheLockable() throws SQLException {
        List<Remedy> remedies = remedies(Scenarios.parse("test", COUNTER + """
                session a transaction
                step rate_a into rate { SELECT percent FROM rate; }
                step read_a into n    { SELECT n FROM counter WHERE id = 1; }
                step save_a           { UPDATE counter SET n = :n + :rate WHERE id = 1; }
                session b transaction
                step read_b into n    { SELECT (SELECT n FROM counter WHERE id = 1); }
                step save_b           { UPDATE counter SET n = :n + 1 WHERE id = 1; }
                """));

        assertThat(remedies.stream().map(Remedy::name))
                .contains("FOR UPDATE on read_a", "a row lock on read_b")
                .noneMatch(name -> name.contains("rate_a") || name.contains("alone"));
        assertThat(reasons(named(remedies, "a row lock on read_b")))
                .singleElement()
                .asString()
                .contains("locks no row");
    }

    /** Its session would end at once in every schedule, and so race with nobody. */
    @Test
    void lockThatFailsWhenItIsRunIsNoRemedy() throws SQLException {
        List<Remedy> remedies = remedies(Scenarios.parse("test", COUNTER + """
                setup { INSERT INTO counter VALUES (2, 0); }
                session a transaction
                step only    { SET TRANSACTION READ ONLY; }
                step first_a { SELECT n FROM counter WHERE id = 1; }
                step next_a  { SELECT n FROM counter WHERE id = 2; }
                session b transaction
                step first_b { UPDATE counter SET n = n + 1 WHERE id = 1; }
                step next_b  { UPDATE counter SET n = n + 1 WHERE id = 2; }
                """));

        assertThat(remedies.stream().map(Remedy::name)).noneMatch(name -> name.startsWith("FOR "));
        assertThat(reasons(named(remedies, "a row lock on first_a, next_a")))
                .containsExactly("cannot execute SELECT FOR UPDATE in a read-only transaction");
        assertThat(remedies.get(0).name()).isEqualTo("REPEATABLE READ");
        assertThat(report(remedies.get(0)).aborted()).isZero();
    }

    @Test
    void retryAbsorbsTheAborts() throws SQLException {
        Report report = report(named(remedies(Scenarios.parse("test", COUNTER + """
                        session a transaction retry 3
                        step read_a into n { SELECT n FROM counter WHERE id = 1; }
                        step save_a        { UPDATE counter SET n = :n + 1 WHERE id = 1; }
                        session b retry 3
                        step save_b        { UPDATE counter SET n = n + 1 WHERE id = 1; }
                        """)), "REPEATABLE READ"));

        assertThat(report.verdict()).isInstanceOf(Proved.class);
        assertThat(report.aborted()).isZero();
    }

    @Test
    void levelThatItRanAtIsNoRemedy() throws SQLException {
        List<Remedy> remedies = remedies(example("last-owner"), Optional.of(IsolationLevel.REPEATABLE_READ));

        assertThat(remedies.stream().map(Remedy::name)).contains("SERIALIZABLE").doesNotContain("REPEATABLE READ");
    }

    @Test
    void eachExplorationIsAnnounced() throws SQLException {
        remedies(example("last-owner"));

        assertThat(announced).containsExactly("REPEATABLE READ", "SERIALIZABLE");
    }

    private List<Remedy> remedies(Scenario scenario) throws SQLException {
        return remedies(scenario, Optional.empty());
    }

    private List<Remedy> remedies(Scenario scenario, Optional<IsolationLevel> level) throws SQLException {
        Report report = TestServer.explore(scenario, level);
        assertThat(report.verdict()).isInstanceOf(Violated.class);
        return TestServer.whatIf().remedies(scenario, level, (Violated) report.verdict(), name -> {
            announced.add(name);
            return schedules -> {};
        });
    }

    private static Scenario example(String name) {
        return Scenarios.read(Path.of("../examples", name + "-broken.race"));
    }

    private static Remedy named(List<Remedy> remedies, String name) {
        return remedies.stream()
                .filter(remedy -> remedy.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " among " + remedies));
    }

    private static Report report(Remedy remedy) {
        assertThat(remedy).isInstanceOf(Tried.class);
        return ((Tried) remedy).report();
    }

    private static List<String> reasons(Remedy remedy) {
        assertThat(remedy).isInstanceOf(Impossible.class);
        return ((Impossible) remedy).reasons();
    }
}
