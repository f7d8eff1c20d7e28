package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.scenario.Scenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Races that people have reported of their software, each with its repair: the race is found, the repair is proved. */
class PublicCasesTest {
    private static final Path FOLDER = Path.of("src/test/resources/cases");
    private static final String BROKEN = "-broken.race";
    private static final String FIXED = "-fixed.race";
    /** What each is. */
    private static final Map<String, String> ANOMALIES = Arrays.stream("""
            c01 lost-update, c02 broken-invariant, c03 lost-update, c04 lost-update, c06 lost-update, c07 phantom, c09 lost-update,
            c10 non-serializable, c11 broken-invariant, c12 lost-update, c13 broken-invariant, c15 write-skew, c16 lost-update,
            c17 broken-invariant, c18 phantom, c19 lost-update, c20 write-skew, c22 non-serializable, c23 deadlock, c24 deadlock,
            c27 deadlock, c28 deadlock, c29 deadlock, c30 non-serializable, c31 non-serializable, c33 broken-invariant,
            c34 broken-invariant, c35 lost-update, c36 non-serializable, c37 non-serializable, c40 lost-update, c41 lost-update,
            c42 broken-invariant, c44 broken-invariant, c45 non-serializable, c49 broken-invariant, c51 write-skew, c52 phantom,
            c53 write-skew
            """.split(","))
            .map(String::strip)
            .map(pair -> pair.split(" "))
            .collect(Collectors.toMap(p -> p[0], p -> p[1]));

    /** What goes wrong in these is a deadlock and nothing else; in all others there is a bad outcome. */
    private static final Set<String> DEADLOCKS = Set.of("c23", "c24", "c27", "c28", "c29");

    static Stream<String> cases() throws IOException {
        return files().stream().filter(name -> name.endsWith(BROKEN)).map(name -> name.replace(BROKEN, ""));
    }

    private static List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void eachIsHalfOfAPair() throws IOException {
        List<String> names = files();
        assertThat(names)
                .hasSizeGreaterThanOrEqualTo(2 * 39)
                .allSatisfy(
                        name -> assertThat(names).contains(name.replace(FIXED, BROKEN), name.replace(BROKEN, FIXED)));
        assertThat(cases()).containsAll(DEADLOCKS);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void brokenIsViolated(String name) {
        Report report = explore(name + BROKEN);

        assertThat(report.verdict()).isInstanceOfSatisfying(Verdict.Violated.class, violated -> {
            assertThat(violated.anomaly().word()).isEqualTo(ANOMALIES.get(name));
            if (DEADLOCKS.contains(name)) {
                assertThat(violated.why()).contains("deadlock");
                assertThat(report.violating()).isZero();
                assertThat(report.deadlocks()).isPositive();
            } else {
                assertThat(violated.why()).doesNotContain("deadlock");
                assertThat(report.violating()).isPositive();
                assertThat(report.deadlocks()).isZero();
            }
        });
    }

    @ParameterizedTest
    @MethodSource("cases")
    void fixedIsProved(String name) {
        Report report = explore(name + FIXED);

        assertThat(report.verdict()).isInstanceOf(Verdict.Proved.class);
        assertThat(report.exhaustive()).isTrue();
    }

    private static Report explore(String file) {
        return TestServer.explore(Scenarios.read(FOLDER.resolve(file)), Optional.empty());
    }
}
