package dev.rowlock.prover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.scenario.Scenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples come in pairs: the broken one is found out, the fixed one is proved. */
class ExamplesTest {
    private static final Path FOLDER = Path.of("../examples");

    static Stream<String> pairs() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("-broken.race"))
                    .map(name -> name.replace("-broken.race", ""))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @Test
    void eachIsHalfOfAPair() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            List<String> names =
                    files.map(file -> file.getFileName().toString()).toList();
            assertThat(names)
                    .hasSizeGreaterThanOrEqualTo(20)
                    .allSatisfy(name -> assertThat(names)
                            .contains(
                                    name.replace("-fixed.race", "-broken.race"),
                                    name.replace("-broken.race", "-fixed.race")));
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void eachBeginsWithWhatGoesOn(String pair) throws IOException {
        for (String half : List.of("-broken.race", "-fixed.race")) {
            assertThat(Files.readAllLines(FOLDER.resolve(pair + half)).stream().takeWhile(line -> line.startsWith("#")))
                    .as(pair + half)
                    .hasSizeBetween(2, 4);
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void brokenIsViolatedAndFixedIsProved(String pair) {
        assertThat(verdict(pair + "-broken")).isInstanceOf(Verdict.Violated.class);
        assertThat(verdict(pair + "-fixed")).isInstanceOf(Verdict.Proved.class);
    }

    @Test
    void readmeShowsAnExampleToTheLetter() throws IOException {
        assertThat(Files.readString(Path.of("../README.md")).replace("\r\n", "\n"))
                .contains("```\n" + Files.readString(FOLDER.resolve("wallet-double-charge-broken.race")) + "```");
    }

    private static Verdict verdict(String name) {
        return TestServer.explore(Scenarios.read(FOLDER.resolve(name + ".race")), Optional.empty())
                .verdict();
    }
}
