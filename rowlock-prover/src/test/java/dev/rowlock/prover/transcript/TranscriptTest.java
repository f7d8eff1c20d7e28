package dev.rowlock.prover.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.scenario.Scenarios;
import dev.rowlock.prover.scenario.SharedSpecs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** PostgreSQL's own isolation tests: each transcript is, byte for byte, one of those that PostgreSQL 15 expects. */
class TranscriptTest {
    private static Path specs = Path.of("");
    private static TestPostgres server;
    /** Every spec removes what it made. Only one that fails may leave something, and then the next gets a new database. */
    private static Optional<ServerAddress> clean = Optional.empty();

    @BeforeAll
    static void start() {
        specs = SharedSpecs.requireFolder();
        server = TestPostgres.start15();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @TestFactory
    List<DynamicTest> everySpecGivesItsExpectedTranscript() {
        List<Path> all = SharedSpecs.all(specs);
        assertThat(all).hasSize(58);
        return all.stream()
                .map(spec -> DynamicTest.dynamicTest(name(spec), () -> requireExpected(spec)))
                .toList();
    }

    private static void requireExpected(Path spec) throws IOException {
        List<Path> expected = expected(spec);
        assertThat(expected).as("expected transcripts of %s", spec).isNotEmpty();
        StringBuilder transcript = new StringBuilder();

        ServerAddress database = clean.orElseGet(server::newDatabase);
        clean = Optional.empty();
        new Transcript(database, Transcript.STEP_LIMIT).write(Scenarios.read(spec), transcript);

        String text = transcript.toString();
        if (!expected.stream().map(TranscriptTest::read).anyMatch(text::equals)) {
            assertThat(text).isEqualTo(read(expected.get(0)));
        }
        clean = Optional.of(database);
    }

    /** Where the server may decide this way or that, there are several: {@code name.out}, {@code name_1.out} and so on. */
    private static List<Path> expected(Path spec) throws IOException {
        Path folder = specs.resolveSibling("expected");
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(
                            file -> file.getFileName().toString().matches("\\Q" + name(spec) + "\\E(_[0-9])?\\.out"))
                    .sorted()
                    .toList();
        }
    }

    private static String name(Path spec) {
        return spec.getFileName().toString().replaceFirst("\\.spec$", "");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
