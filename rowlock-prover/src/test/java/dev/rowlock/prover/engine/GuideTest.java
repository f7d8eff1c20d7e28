package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.scenario.Scenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each scenario in the guide comes to what its first line says. */
class GuideTest {
    private static final Pattern SCENARIO = Pattern.compile("(?m)^```race( overlap)?\\n(# (\\w+):(?s:.*?))^```$");

    @Test
    void scenariosComeToWhatTheySay() throws IOException {
        String guide = Files.readString(Path.of("../docs/prove.md")).replace("\r\n", "\n");
        List<String> scenarios =
                guide.lines().filter(line -> line.startsWith("```race")).toList();
        List<MatchResult> found = SCENARIO.matcher(guide).results().toList();

        assertThat(found).hasSameSizeAs(scenarios).hasSizeGreaterThanOrEqualTo(3);
        for (MatchResult scenario : found) {
            Explorer.Limits limits = scenario.group(1) == null ? TestServer.LIMITS : TestServer.LIMITS.withOverlap();
            Verdict verdict = TestServer.explore(
                            Scenarios.parse("docs/prove.md", scenario.group(2)), Optional.empty(), limits)
                    .verdict();
            assertThat(verdict.getClass().getSimpleName())
                    .as(scenario.group(2))
                    .isEqualToIgnoringCase(scenario.group(3));
        }
    }
}
