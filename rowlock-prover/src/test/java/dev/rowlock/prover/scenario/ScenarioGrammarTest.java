package dev.rowlock.prover.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What PostgreSQL's format does not have: every addition, alone and in every order. */
class ScenarioGrammarTest {

    @Test
    void exampleOfTheManualParses() {
        Scenario scenario = Samples.parse(Samples.WALLET);
        SessionSpec a = scenario.sessions().get(0);
        SessionSpec b = scenario.sessions().get(1);
        assertThat(a.steps().get(0).into()).containsExactly("balance");
        assertThat(a.steps().get(1).when().orElseThrow().text()).isEqualTo(" :balance >= 80 ");
        assertThat(a.steps().get(2).expectRows()).isEqualTo(OptionalInt.of(1));
        assertThat(b.transaction()).isTrue();
        assertThat(b.isolation()).contains(IsolationLevel.SERIALIZABLE);
        assertThat(b.attempts()).isEqualTo(3);
        assertThat(scenario.invariants()).singleElement().satisfies(invariant -> {
            assertThat(invariant.text()).isEqualTo("never below zero");
            assertThat(invariant.sql().trimmed()).isEqualTo("SELECT min(balance) >= 0 FROM wallet;");
        });
        assertThat(scenario.ignored()).extracting(ColumnRef::table).containsExactly("job", "ticket");
        assertThat(scenario.observe()).isEqualTo(Observation.DATA);
    }

    @Test
    void withoutAdditionsTheDefaultsHold() {
        Scenario scenario = Samples.parse("session a step x { }");
        SessionSpec session = scenario.sessions().get(0);
        StepSpec step = session.steps().get(0);
        assertThat(session)
                .isEqualTo(new SessionSpec(
                        "a", false, Optional.empty(), 1, Optional.empty(), List.of(step), Optional.empty(), at(1, 9)));
        assertThat(step)
                .isEqualTo(new StepSpec(
                        "x",
                        List.of(),
                        Optional.empty(),
                        OptionalInt.empty(),
                        new SqlBlock(" ", at(1, 19)),
                        at(1, 16)));
        assertThat(scenario)
                .isEqualTo(new Scenario(
                        Samples.FILE,
                        List.of(),
                        Optional.empty(),
                        List.of(session),
                        List.of(),
                        List.of(),
                        List.of(),
                        Observation.READS));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "transaction isolation serializable retry 3",
                "transaction retry 3 isolation serializable",
                "isolation serializable transaction retry 3",
                "isolation serializable retry 3 transaction",
                "retry 3 transaction isolation serializable",
                "retry 3 isolation serializable transaction"
            })
    void sessionOptionsStandInAnyOrder(String options) {
        SessionSpec session = Samples.parse("session a " + options + " setup { s } step x { } teardown { t }")
                .sessions()
                .get(0);
        assertThat(session.transaction()).isTrue();
        assertThat(session.isolation()).contains(IsolationLevel.SERIALIZABLE);
        assertThat(session.attempts()).isEqualTo(3);
        assertThat(session.setup().orElseThrow().trimmed()).isEqualTo("s");
        assertThat(session.teardown().orElseThrow().trimmed()).isEqualTo("t");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "read-committed, READ_COMMITTED",
                "Repeatable-Read, REPEATABLE_READ",
                "SERIALIZABLE, SERIALIZABLE",
                "\"read committed\", READ_COMMITTED",
                "\"REPEATABLE  READ\", REPEATABLE_READ",
                "\"Serializable\", SERIALIZABLE"
            })
    void isolationIsWrittenAsAWordOrAsInSql(String written, IsolationLevel level) {
        assertThat(Samples.parse("session a isolation " + written + " step x { }")
                        .sessions()
                        .get(0)
                        .isolation())
                .contains(level);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "into a, b when { c } expect 2 rows",
                "into a, b expect 2 rows when { c }",
                "when { c } into a, b expect 2 rows",
                "when { c } expect 2 rows into a, b",
                "expect 2 row into a, b when { c }",
                "expect 2 row when { c } into a, b"
            })
    void stepOptionsStandInAnyOrder(String options) {
        StepSpec step = Samples.parse("session s step x " + options + " { SELECT 1, 2; }")
                .sessions()
                .get(0)
                .steps()
                .get(0);
        assertThat(step.into()).containsExactly("a", "b");
        assertThat(step.when().orElseThrow().text()).isEqualTo(" c ");
        assertThat(step.expectRows()).isEqualTo(OptionalInt.of(2));
        assertThat(step.sql().text()).isEqualTo(" SELECT 1, 2; ");
    }

    @Test
    void endsMixInAnyOrder() {
        Scenario scenario = Samples.parse("""
                session a step x { }
                session b step y { }
                observe reads
                permutation x y
                invariant "one" { SELECT true }
                ignore t.c
                permutation y x
                ignore s.t.c, "S"."T t".C
                invariant "two" { SELECT true }
                permutation x
                """);
        assertThat(scenario.permutations()).extracting(p -> p.steps().size()).containsExactly(2, 2, 1);
        assertThat(scenario.invariants()).extracting(InvariantSpec::text).containsExactly("one", "two");
        assertThat(scenario.ignored())
                .containsExactly(
                        new ColumnRef(Optional.empty(), "t", "c", at(6, 8)),
                        new ColumnRef(Optional.of("s"), "t", "c", at(8, 8)),
                        new ColumnRef(Optional.of("S"), "T t", "c", at(8, 15)));
        assertThat(scenario.observe()).isEqualTo(Observation.READS);
    }

    @Test
    void unquotedColumnsAreFoldedAsSqlFoldsThem() {
        assertThat(Samples.parse("session a step x { } ignore Job.CreatedÄt").ignored())
                .containsExactly(new ColumnRef(Optional.empty(), "job", "createdÄt", at(1, 29)));
    }

    @Test
    void valuesFlowFromStepToStepOfTheSameSession() {
        Scenario scenario = Samples.parse("""
                session a
                step one into v { SELECT 1; }
                step two into v when { :v > 0 } { SELECT :v + 1; }
                step three { SELECT :v; }
                """);
        assertThat(scenario.sessions().get(0).steps()).hasSize(3);
    }

    @Test
    void transactionSessionMayUseSavepoints() {
        Scenario scenario = Samples.parse("""
                session a transaction
                setup { SET lock_timeout = 0; }
                step x { SAVEPOINT s; ROLLBACK TO s; ROLLBACK /* sic */ WORK TO SAVEPOINT s; RELEASE s; }
                step y { PREPARE p AS SELECT 1; SELECT 'COMMIT;'; -- ROLLBACK;
                }
                teardown { COMMIT; }
                """);
        assertThat(scenario.sessions().get(0).transaction()).isTrue();
    }

    private static Position at(int line, int column) {
        return new Position(Samples.FILE, line, column);
    }
}
