package dev.rowlock.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.ds.PGSimpleDataSource;

/** The one PostgreSQL that everybody is measured on, with the settings that a durable one has. */
final class Database implements AutoCloseable {
    private static final String USER = "postgres";

    private final EmbeddedPostgres server;
    private final Connection control;

    private Database(EmbeddedPostgres server) throws SQLException {
        this.server = server;
        this.control = dataSource().getConnection();
    }

    static Database start() throws IOException, SQLException {
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("max_connections", "400")
                .setServerConfig("shared_buffers", "512MB")
                .setServerConfig("max_wal_size", "4GB")
                .start();
        try {
            Database database = new Database(server);
            database.requireDurable();
            return database;
        } catch (SQLException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private void requireDurable() throws SQLException {
        for (String setting : new String[] {"fsync", "synchronous_commit", "full_page_writes"}) {
            String value = text("SELECT current_setting('" + setting + "')");
            if (!value.equals("on")) {
                throw new IllegalStateException(setting + " is " + value + "; figures would mean nothing");
            }
        }
    }

    int port() {
        return server.getPort();
    }

    PGSimpleDataSource dataSource() {
        return dataSource(server.getPort());
    }

    /** Through something that listens on another port. */
    PGSimpleDataSource dataSource(int port) {
        return sourceAt(port);
    }

    /** For a process that has not started the server. */
    static PGSimpleDataSource sourceAt(int port) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setPortNumbers(new int[] {port});
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setUser(USER);
        source.setDatabaseName(USER);
        return source;
    }

    /** A pool that has all its connections from the beginning. */
    HikariDataSource pool(int size) {
        return pool(dataSource(), size);
    }

    static HikariDataSource pool(PGSimpleDataSource source, int size) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(60_000);
        return new HikariDataSource(config);
    }

    void run(String... statements) throws SQLException {
        try (Statement statement = control.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    long number(String sql) throws SQLException {
        return Math.round(Double.parseDouble(text(sql)));
    }

    String text(String sql) throws SQLException {
        try (Statement statement = control.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }

    /**
     * Returns once all other sessions have ended, at most after ten seconds: a session tells the statistics what it did when it ends,
     * which is a while after its connection was closed.
     */
    void awaitAlone() throws SQLException {
        awaitOthers(0);
    }

    /** The same, but so many other sessions may stay. */
    void awaitOthers(int most) throws SQLException {
        run("""
                DO $$
                BEGIN
                  FOR i IN 1 .. 2000 LOOP
                    PERFORM pg_stat_clear_snapshot();
                    EXIT WHEN %d >= (SELECT count(*) FROM pg_stat_activity
                                      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid());
                    PERFORM pg_sleep(0.005);
                  END LOOP;
                END $$""".formatted(most));
    }

    /** The server's first process. */
    long postmasterPid() throws SQLException {
        return ProcessHandle.of(number("SELECT pg_backend_pid()"))
                .flatMap(ProcessHandle::parent)
                .map(ProcessHandle::pid)
                .orElse(-1L);
    }

    @Override
    public void close() throws SQLException, IOException {
        try (server) {
            control.close();
        }
    }
}
