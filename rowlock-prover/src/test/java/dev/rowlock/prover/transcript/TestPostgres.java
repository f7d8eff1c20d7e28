package dev.rowlock.prover.transcript;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Enumeration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** A PostgreSQL of a test class, with a new database for whoever asks. */
final class TestPostgres implements AutoCloseable {
    private static final Path ARCHIVE_OF_15 = Path.of("target", "postgres-15.jar");

    private final EmbeddedPostgres server;
    private final AtomicInteger databases = new AtomicInteger();

    private TestPostgres(EmbeddedPostgres.Builder builder) {
        try {
            this.server = builder.setServerConfig("autovacuum", "off")
                    // It is thrown away anyhow.
                    .setServerConfig("fsync", "off")
                    .setServerConfig("full_page_writes", "off")
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The version that all tests run on. */
    static TestPostgres start() {
        return new TestPostgres(EmbeddedPostgres.builder());
    }

    /** A PostgreSQL 15, which the build has put beside the class path. Skips the test where there is none for the platform. */
    static TestPostgres start15() {
        String platform = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        assumeTrue(
                platform.equals("Linux amd64"),
                "the build brings PostgreSQL 15 for Linux on amd64 only; this is " + platform);
        return new TestPostgres(EmbeddedPostgres.builder().setPgBinaryResolver((system, hardware) -> binariesOf15()));
    }

    private static InputStream binariesOf15() throws IOException {
        try (ZipFile archive = new ZipFile(ARCHIVE_OF_15.toFile())) {
            for (Enumeration<? extends ZipEntry> entries = archive.entries(); entries.hasMoreElements(); ) {
                ZipEntry entry = entries.nextElement();
                if (entry.getName().endsWith(".txz")) {
                    return new ByteArrayInputStream(
                            archive.getInputStream(entry).readAllBytes());
                }
            }
        }
        throw new IOException("no binaries in " + ARCHIVE_OF_15);
    }

    ServerAddress newDatabase() {
        String name = "transcript_" + databases.incrementAndGet();
        execute("CREATE DATABASE " + name + " TEMPLATE template0");
        return address(name, "postgres", Optional.empty());
    }

    ServerAddress address(String database, String user, Optional<String> password) {
        return new ServerAddress("127.0.0.1", server.getPort(), database, user, password);
    }

    /** The first column of the first row. */
    String query(String sql) {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void execute(String sql) {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
