package dev.rowlock.prover.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Damaged files are refused by a {@link ScenarioException} or read as what they then say; nothing else happens. */
class ScenarioFuzzTest {
    private static final int INPUTS = 20_000;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Test
    void damagedSamplesAreReadOrRefused() {
        fuzz(Samples.ALL.stream()
                .map(sample -> sample.getBytes(StandardCharsets.UTF_8))
                .toList());
    }

    @Test
    void damagedSpecsAreReadOrRefused() throws IOException {
        List<byte[]> specs = new ArrayList<>();
        for (Path spec : SharedSpecs.all(SharedSpecs.requireFolder())) {
            specs.add(Files.readAllBytes(spec));
        }
        fuzz(specs);
    }

    @Test
    void everyBeginningOfASampleIsReadOrRefused() {
        for (String sample : Samples.ALL) {
            byte[] bytes = sample.getBytes(StandardCharsets.UTF_8);
            for (int length = 0; length <= bytes.length; length++) {
                FuzzedText.parseOrReject("truncated", Arrays.copyOf(bytes, length));
            }
        }
    }

    private static void fuzz(List<byte[]> originals) {
        int read = assertTimeoutPreemptively(LIMIT, () -> countRead(originals));
        // Damage that always kills, or never does, would prove nothing.
        assertThat(read).isBetween(INPUTS / 50, INPUTS - INPUTS / 50);
    }

    private static int countRead(List<byte[]> originals) {
        int read = 0;
        for (int seed = 0; seed < INPUTS; seed++) {
            byte[] input = new FuzzedText(seed).mutate(originals.get(seed % originals.size()));
            try {
                Optional<Scenario> scenario = FuzzedText.parseOrReject("fuzzed", input);
                if (scenario.isPresent()) {
                    read++;
                    requireRoundTrip(scenario.get());
                }
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed + ": " + new String(input, StandardCharsets.UTF_8), e);
            }
        }
        return read;
    }

    private static void requireRoundTrip(Scenario scenario) {
        String text = ScenarioText.of(scenario);
        assertThat(ScenarioText.of(Scenarios.parse("written back", text))).isEqualTo(text);
    }
}
