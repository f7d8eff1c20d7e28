package dev.rowlock.prover.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and blockers as PostgreSQL's tester has them, and how the words of the additions stay names. */
class ScenarioNamesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " ", "a b", "\"", "a\"\"b", "step", "notices", "1", "#", "--", "{", "}", "a\tb", "a\rb", "Ünï",
                "𝄞", ":x", "into"
            })
    void everyNameSurvivesInQuotes(String name) {
        Scenario scenario =
                Samples.parse("session %1$s step %1$s { } session other step o { } permutation %1$s(o) o o(%1$s)"
                        .formatted(ScenarioText.quoted(name)));
        assertThat(scenario.sessions().get(0).name()).isEqualTo(name);
        assertThat(scenario.sessions().get(0).steps().get(0).name()).isEqualTo(name);
        assertThat(scenario.permutations().get(0).steps().get(0).step()).isEqualTo(name);
        assertThat(ScenarioText.of(Samples.parse(ScenarioText.of(scenario)))).isEqualTo(ScenarioText.of(scenario));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "transaction",
                "isolation",
                "retry",
                "into",
                "when",
                "expect",
                "row",
                "rows",
                "invariant",
                "ignore",
                "observe",
                "data",
                "reads",
                "a$1",
                "_",
                "Ünï",
                "𝄞"
            })
    void newWordsAreNamesWithoutQuotesToo(String name) {
        Scenario scenario = Samples.parse(
                "session %1$s transaction step %1$s into %1$s { } step o { SELECT :%1$s } session p step q { } permutation %1$s o q(%1$s) %1$s"
                        .formatted(name));
        assertThat(scenario.sessions().get(0).name()).isEqualTo(name);
        assertThat(scenario.sessions().get(0).steps().get(0).into()).containsExactly(name);
        assertThat(names(scenario)).containsExactly(name, "o", "q", name);
    }

    @Test
    void wordsOfTheEndAreStepsOfAPermutationWhereSuchStepsExist() {
        Scenario scenario = Samples.parse("""
                session a step invariant { } step ignore { } step observe { } step data { } step t { }
                permutation t invariant "t" ignore observe data
                """);
        assertThat(names(scenario)).containsExactly("t", "invariant", "t", "ignore", "observe", "data");
        assertThat(scenario.observe()).isEqualTo(Observation.READS);
    }

    @Test
    void wordsOfTheEndKeepTheirMeaningWhereNothingElseFits() {
        Scenario scenario = Samples.parse("""
                session a step invariant { } step ignore { } step observe { } step t { }
                observe data
                permutation t observe
                invariant "t" { SELECT true; }
                permutation t
                ignore t.c
                permutation t ignore t "observe"
                """);
        assertThat(scenario.permutations()).extracting(p -> p.steps().size()).containsExactly(2, 1, 4);
        assertThat(scenario.invariants()).hasSize(1);
        assertThat(scenario.ignored()).hasSize(1);
        assertThat(scenario.observe()).isEqualTo(Observation.DATA);
    }

    @Test
    void reservedWordsAreTablesAndValuesWithoutQuotes() {
        Scenario scenario =
                Samples.parse("session a step x into step, session { } ignore session.step, setup.permutation");
        assertThat(scenario.sessions().get(0).steps().get(0).into()).containsExactly("step", "session");
        assertThat(scenario.ignored()).extracting(ColumnRef::table).containsExactly("session", "setup");
    }

    @Test
    void blockersAreStarStepAndNotices() {
        List<PermutationStep> steps =
                Samples.parse(Samples.BLOCKERS).permutations().get(1).steps();
        assertThat(steps.get(1).blockers())
                .containsExactly(
                        new Blocker.Step("a", new Position(Samples.FILE, 5, 17)),
                        new Blocker.Notices("b", 2, new Position(Samples.FILE, 5, 20)),
                        new Blocker.Any(new Position(Samples.FILE, 5, 33)));
        assertThat(steps.get(2).step()).isEqualTo("d \"d\"");
        assertThat(steps.get(2).blockers()).hasSize(1);
    }

    @Test
    void commentsInsideBlocksAreLeftAloneAndOutsideSkipped() {
        Scenario scenario = Samples.parse("# { \"\nsession a -- step\nstep x{# kept\n-- kept, \"too\n}#end");
        assertThat(scenario.sessions().get(0).steps().get(0).sql().text()).isEqualTo("# kept\n-- kept, \"too\n");
    }

    @Test
    void tokensNeedNoBlanksBetweenThem() {
        Scenario scenario = Samples.parse("session\"a\"step\"x\"{}session b step y{}permutation\"x\"y(*)x(y,*)");
        assertThat(names(scenario)).containsExactly("x", "y", "x");
    }

    private static List<String> names(Scenario scenario) {
        return scenario.permutations().get(0).steps().stream()
                .map(PermutationStep::step)
                .toList();
    }
}
