package dev.rowlock.prover.scenario;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * PostgreSQL's isolation specs, which lie beside the repository where they are at hand at all. The system property
 * {@code rowlock.shared} names the folder {@code shared} where it is elsewhere.
 */
public final class SharedSpecs {
    private static final Path BELOW = Path.of("pg-isolation", "specs");

    private SharedSpecs() {}

    public static Optional<Path> folder() {
        Stream<Path> named =
                Stream.ofNullable(System.getProperty("rowlock.shared")).map(Path::of);
        Stream<Path> above = Stream.iterate(Path.of("").toAbsolutePath(), Objects::nonNull, Path::getParent)
                .map(parent -> parent.resolve("shared"));
        return Stream.concat(named, above)
                .map(shared -> shared.resolve(BELOW))
                .filter(Files::isDirectory)
                .findFirst();
    }

    /** The folder; without it the test is skipped. */
    public static Path requireFolder() {
        Optional<Path> folder = folder();
        assumeTrue(
                folder.isPresent(),
                "PostgreSQL's specs are not here: no folder shared/" + BELOW + " beside the repository");
        return folder.get();
    }

    /** The specs in the folder, by name. */
    public static List<Path> all(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".spec"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Scenario read(String name) {
        return Scenarios.read(requireFolder().resolve(name + ".spec"));
    }
}
