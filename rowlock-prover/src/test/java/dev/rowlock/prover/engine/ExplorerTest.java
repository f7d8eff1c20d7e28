package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rowlock.prover.scenario.IsolationLevel;
import dev.rowlock.prover.scenario.Scenarios;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What counts as an outcome, as bad, and as explored. */
class ExplorerTest {
    private static final String COUNTER = """
            setup { CREATE TABLE counter (n int NOT NULL); INSERT INTO counter VALUES (0); }
            """;

    @Test
    void lostUpdateIsFoundWithoutAnyInvariant() {
        Report report = explore(COUNTER + """
                session a transaction
                step ra into n { SELECT n FROM counter; }
                step wa { UPDATE counter SET n = :n + 1; }
                session b transaction
                step rb into n { SELECT n FROM counter; }
                step wb { UPDATE counter SET n = :n + 1; }
                """);

        assertThat(report.verdict()).isInstanceOf(Verdict.Violated.class);
        assertThat(report.outcomes()).anySatisfy(o -> {
            assertThat(o.violates()).isTrue();
            assertThat(o.outcome()).contains("counter: (1)");
        });
    }

    @Test
    void relativeUpdateIsProved() {
        Report report = explore(COUNTER + """
                session a
                step wa { UPDATE counter SET n = n + 1; }
                session b
                step wb { UPDATE counter SET n = n + 1; }
                session c
                step wc { UPDATE counter SET n = n + 1; }
                """);

        assertThat(report.verdict()).isInstanceOf(Verdict.Proved.class);
        assertThat(report.schedules()).isEqualTo(6);
        assertThat(report.interleavings()).hasValue(BigInteger.valueOf(6));
        assertThat(report.exhaustive()).isTrue();
    }

    @Test
    void invariantThatSerialExecutionItselfBreaksIsFound() {
        Report report = explore(COUNTER + """
                session a
                step wa { UPDATE counter SET n = n - 1; }
                invariant "never negative" { SELECT min(n) >= 0 FROM counter; }
                """);

        assertThat(report.verdict())
                .isInstanceOfSatisfying(
                        Verdict.Violated.class,
                        violated -> assertThat(violated.why()).contains("never negative"));
    }

    @Test
    void serializationFailureWithoutRetryIsCountedAndNoViolation() {
        Report report = explore(counterAt("repeatable-read", ""));

        assertThat(report.verdict()).isInstanceOf(Verdict.Proved.class);
        assertThat(report.aborted()).isPositive();
    }

    @Test
    void retriedSessionCommitsInTheEnd() {
        Report report = explore(counterAt("repeatable-read", "retry 3"));

        assertThat(report.verdict()).isInstanceOf(Verdict.Proved.class);
        assertThat(report.aborted()).isZero();
        assertThat(report.outcomes()).allSatisfy(o -> assertThat(o.outcome()).contains("counter: (2)"));
    }

    @Test
    void overrideOfTheLevelBringsTheLostUpdateBack() {
        Report report = TestServer.explore(
                Scenarios.parse("test", counterAt("repeatable-read", "")), Optional.of(IsolationLevel.READ_COMMITTED));

        assertThat(report.verdict()).isInstanceOf(Verdict.Violated.class);
        assertThat(report.aborted()).isZero();
    }

    @Test
    void rejectedSessionIsACleanOutcome() {
        Report report = explore("""
                setup { CREATE TABLE coupon (used bool NOT NULL); INSERT INTO coupon VALUES (false); }
                session a transaction
                step ca expect 1 row { UPDATE coupon SET used = true WHERE NOT used; }
                session b transaction
                step cb expect 1 row { UPDATE coupon SET used = true WHERE NOT used; }
                """);

        assertThat(report.verdict()).isInstanceOf(Verdict.Proved.class);
        assertThat(report.outcomes())
                .hasSize(2)
                .allSatisfy(o -> assertThat(o.outcome()).contains("committed", "was rejected"));
    }

    @Test
    void deadlockIsAViolationUnlessAllowed() {
        String race = COUNTER.replace("VALUES (0)", "VALUES (1), (2)") + """
                session a transaction
                step a1 { UPDATE counter SET n = n WHERE n = 1; }
                step a2 { UPDATE counter SET n = n WHERE n = 2; }
                session b transaction
                step b2 { UPDATE counter SET n = n WHERE n = 2; }
                step b1 { UPDATE counter SET n = n WHERE n = 1; }
                """;
        Explorer.Limits allowing = new Explorer.Limits(1000, Duration.ofMinutes(1), Duration.ofSeconds(20), true);

        Report strict = explore(race);
        Report allowed = TestServer.explore(Scenarios.parse("test", race), Optional.empty(), allowing);

        assertThat(strict.verdict())
                .isInstanceOfSatisfying(
                        Verdict.Violated.class,
                        violated -> assertThat(violated.why()).contains("deadlock"));
        assertThat(strict.deadlocks()).isPositive();
        assertThat(allowed.verdict()).isInstanceOf(Verdict.Proved.class);
        assertThat(allowed.deadlocks()).isEqualTo(strict.deadlocks());
    }

    @Test
    void ignoredColumnIsLeftOut() {
        String race = """
                setup { CREATE TABLE t (id serial, who text); }
                session a
                step wa { INSERT INTO t (who) VALUES ('a'); }
                session b transaction
                step rb { SELECT 1; }
                step wb { INSERT INTO t (who, id) VALUES ('b', (SELECT count(*) FROM t WHERE id < 0) + 100 + random() * 1000); }
                """;

        assertThat(explore(race).verdict()).isInstanceOf(Verdict.Violated.class);
        assertThat(explore(race + "ignore t.id\n").verdict()).isInstanceOf(Verdict.Proved.class);
    }

    @Test
    void readsCountUnlessOnlyDataAreObserved() {
        String race = COUNTER + """
                session a transaction
                step r1 { SELECT n FROM counter; }
                step r2 { SELECT n FROM counter; }
                session b
                step w { UPDATE counter SET n = 1; }
                """;

        assertThat(explore(race).verdict()).isInstanceOf(Verdict.Violated.class);
        assertThat(explore(race + "observe data\n").verdict()).isInstanceOf(Verdict.Proved.class);
    }

    @Test
    void errorOfTheCommitStandsAtTheCommit() {
        Report report = explore("""
                setup { CREATE TABLE t (n int UNIQUE DEFERRABLE INITIALLY DEFERRED); INSERT INTO t VALUES (1); }
                session a transaction
                step again { INSERT INTO t VALUES (1); }
                invariant "something to look at" { SELECT false; }
                """);

        assertThat(report.verdict())
                .isInstanceOfSatisfying(
                        Verdict.Violated.class,
                        violated -> assertThat(violated.execution().inOrder())
                                .last()
                                .satisfies(commit -> assertThat(commit.step()).isEqualTo("commit(a)"))
                                .satisfies(commit ->
                                        assertThat(commit.error().orElse("")).startsWith("23505")));
    }

    @Test
    void usedUpBudgetIsUndecided() {
        Explorer.Limits two = new Explorer.Limits(2, Duration.ofMinutes(1), Duration.ofSeconds(20), false);
        String race = COUNTER
                + "session a step wa { SELECT 1; } session b step wb { SELECT 1; } session c step wc { SELECT 1; }";

        Report report = TestServer.explore(Scenarios.parse("test", race), Optional.empty(), two);

        assertThat(report.verdict())
                .isInstanceOfSatisfying(
                        Verdict.Undecided.class,
                        undecided -> assertThat(undecided.reasons())
                                .singleElement()
                                .asString()
                                .contains("budget of 2"));
        assertThat(report.exhaustive()).isFalse();
    }

    @Test
    void stepThatWaitsForNobodyAndDoesNotEndIsTold() {
        Explorer.Limits hasty = new Explorer.Limits(10, Duration.ofMinutes(1), Duration.ofMillis(300), false);
        String race = COUNTER + "session a step slow { SELECT pg_sleep(3); }";

        Report report = TestServer.explore(Scenarios.parse("test", race), Optional.empty(), hasty);

        assertThat(report.verdict())
                .isInstanceOfSatisfying(
                        Verdict.Undecided.class,
                        undecided -> assertThat(undecided.reasons())
                                .singleElement()
                                .asString()
                                .contains("step slow of a", "waits for no other actor"));
    }

    /** What a step becomes may be known only when nobody can plan it, because another actor has locked the table. */
    @Test
    void statementOnALockedTableIsNotWaitedFor() {
        Report report = explore("""
                setup { CREATE TABLE t (n int); INSERT INTO t VALUES (1); }
                session a step lock { BEGIN; LOCK TABLE t IN ACCESS EXCLUSIVE MODE; }
                session b step one into x { SELECT 1; } step use { SELECT :x + n FROM t; }
                """);

        assertThat(report.verdict()).isInstanceOf(Verdict.Proved.class);
        assertThat(report.waits()).isPositive();
    }

    @Test
    void setupThatFailsIsTold() {
        assertThatExceptionOfType(RaceException.class)
                .isThrownBy(() -> explore("setup { SELECT 1 / 0; } session a step s { SELECT 1; }"))
                .withMessageContaining("division by zero");
    }

    private static String counterAt(String level, String retry) {
        return COUNTER + """
                session a transaction isolation %1$s %2$s
                step ra into n { SELECT n FROM counter; }
                step wa { UPDATE counter SET n = :n + 1; }
                session b transaction isolation %1$s %2$s
                step rb into n { SELECT n FROM counter; }
                step wb { UPDATE counter SET n = :n + 1; }
                """.formatted(level, retry);
    }

    private static Report explore(String race) {
        return TestServer.explore(Scenarios.parse("test", race), Optional.empty());
    }
}
