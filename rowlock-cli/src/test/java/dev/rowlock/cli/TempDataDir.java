package dev.rowlock.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.awaitility.Awaitility;

/** A data folder for one test. Closing it kills whatever PostgreSQL still runs on it and removes it. */
public final class TempDataDir implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Path path;

    private TempDataDir(Path path) {
        this.path = path;
    }

    /** A new folder with nothing in it. */
    public static TempDataDir create() {
        try {
            return new TempDataDir(Files.createTempDirectory("rowlock-data-").toRealPath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What to give to {@code --data-dir}. */
    public Path path() {
        return path;
    }

    @Override
    public String toString() {
        return path.toString();
    }

    /** The live processes of the PostgreSQL in this folder. */
    public List<ProcessHandle> postgres() {
        return ProcessHandle.allProcesses()
                .filter(p -> p.info()
                        .command()
                        .filter(c -> c.startsWith(path + "/") && c.contains("/engine-"))
                        .isPresent())
                .toList();
    }

    /** {@code kill -9} for all of them, as a power cut would. */
    public void killPostgres() {
        postgres().forEach(ProcessHandle::destroyForcibly);
        awaitNoPostgres();
    }

    /** Fails unless they end soon. */
    public void awaitNoPostgres() {
        Awaitility.await("PostgreSQL gone from " + path)
                .atMost(LIMIT)
                .until(() -> postgres().isEmpty());
    }

    @Override
    public void close() {
        killPostgres();
        try {
            FileUtils.deleteDirectory(path.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
