package dev.rowlock.prover.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** PostgreSQL's own specs are scenarios. The folder with them is beside the repository; without it these tests are skipped. */
class PostgresSpecsTest {
    /** The tester's tokens in one expression: an independent reading to compare the parser's with. */
    private static final Pattern TOKEN = Pattern.compile(
            "(?<comment>#[^\\n\\r]*)|(?<block>\\{[^}]*})|\"(?<quoted>(?:[^\"\\n]|\"\")*)\"|(?<word>[A-Za-z_][A-Za-z_0-9$]*)|(?<other>[0-9]+|\\S)");

    private static final Set<String> KEYWORDS =
            Set.of("notices", "permutation", "session", "setup", "step", "teardown");

    @Test
    void everySpecParsesToExactlyItsOwnTokens() throws IOException {
        List<Path> specs = SharedSpecs.all(SharedSpecs.requireFolder());
        assertThat(specs).hasSize(58);
        for (Path spec : specs) {
            assertThat(ScenarioText.tokens(Scenarios.read(spec)))
                    .as(spec.toString())
                    .isEqualTo(tokens(Files.readString(spec)));
        }
    }

    @Test
    void everySpecSurvivesBeingWrittenBack() {
        for (Path spec : SharedSpecs.all(SharedSpecs.requireFolder())) {
            String text = ScenarioText.of(Scenarios.read(spec));
            assertThat(ScenarioText.of(Scenarios.parse(spec.toString(), text))).isEqualTo(text);
        }
    }

    @Test
    void everyNameStandsWhereItsPositionSays() throws IOException {
        for (Path spec : SharedSpecs.all(SharedSpecs.requireFolder())) {
            List<String> lines = Files.readString(spec).lines().toList();
            Scenario scenario = Scenarios.read(spec);
            scenario.sessions().forEach(session -> {
                assertThat(at(lines, session.position())).containsPattern("^\"?" + Pattern.quote(session.name()));
                session.steps()
                        .forEach(step -> assertThat(at(lines, step.position()))
                                .containsPattern("^\"?" + Pattern.quote(step.name())));
            });
            scenario.permutations()
                    .forEach(p -> assertThat(at(lines, p.position())).startsWith("permutation"));
        }
    }

    @Test
    void twoIdsHasThreeSessionsAndLeavesTheOrdersOpen() {
        Scenario scenario = SharedSpecs.read("two-ids");
        assertThat(scenario.sessions()).extracting(SessionSpec::name).containsExactly("s1", "s2", "s3");
        assertThat(scenario.sessions()).allSatisfy(session -> {
            assertThat(session.setup().orElseThrow().trimmed()).isEqualTo("BEGIN ISOLATION LEVEL SERIALIZABLE;");
            assertThat(session.steps()).hasSize(2);
            assertThat(session.transaction()).isFalse();
            assertThat(session.attempts()).isEqualTo(1);
        });
        assertThat(scenario.permutations()).isEmpty();
    }

    @Test
    void multipleRowVersionsHasFourSessionsAndOneOrder() {
        Scenario scenario = SharedSpecs.read("multiple-row-versions");
        assertThat(scenario.sessions()).hasSize(4);
        assertThat(scenario.permutations().get(0).steps())
                .extracting(PermutationStep::step)
                .containsExactly("rx1", "wx2", "c2", "wx3", "ry3", "wy4", "rz4", "c4", "c3", "wz1", "c1");
    }

    @Test
    void timeoutsHoldsItsStepsBackByTheStar() {
        Scenario scenario = SharedSpecs.read("timeouts");
        assertThat(scenario.permutations()).hasSize(8);
        assertThat(scenario.permutations()).allSatisfy(permutation -> {
            List<PermutationStep> steps = permutation.steps();
            assertThat(steps.get(steps.size() - 1).blockers()).singleElement().isInstanceOf(Blocker.Any.class);
        });
    }

    @Test
    void softDeadlockHoldsOneStepOfTenBack() {
        assertThat(SharedSpecs.read("deadlock-soft-2").permutations())
                .singleElement()
                .satisfies(permutation -> {
                    assertThat(permutation.steps()).hasSize(10);
                    assertThat(permutation.steps())
                            .filteredOn(step -> !step.blockers().isEmpty())
                            .extracting(PermutationStep::step)
                            .containsExactly("s1b");
                });
    }

    @Test
    void readOnlyAnomalyHasSetupAndTeardown() {
        Scenario scenario = SharedSpecs.read("read-only-anomaly");
        assertThat(scenario.setups()).hasSize(1);
        assertThat(scenario.teardown().orElseThrow().trimmed()).contains("DROP TABLE bank_account");
        assertThat(scenario.observe()).isEqualTo(Observation.READS);
    }

    private static String at(List<String> lines, Position position) {
        return lines.get(position.line() - 1).substring(position.column() - 1);
    }

    private static List<String> tokens(String spec) {
        List<String> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(spec);
        while (matcher.find()) {
            String word = matcher.group("word");
            if (word != null) {
                tokens.add(KEYWORDS.contains(word) ? word : ScenarioText.quoted(word));
            } else if (matcher.group("comment") == null) {
                tokens.add(matcher.group());
            }
        }
        return tokens;
    }
}
