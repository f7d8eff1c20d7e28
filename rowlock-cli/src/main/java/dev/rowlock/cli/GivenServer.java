package dev.rowlock.cli;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.PreferQueryMode;

/**
 * A PostgreSQL that somebody else runs, on which proofs have one schema and touch nothing else. A connection of its own guards
 * that schema until the end. Closing ends every session of the proof and drops the schema; one that was there before, empty, is
 * there again.
 */
final class GivenServer implements ProveServer {
    private static final String LOCK_LIMIT = "10s";
    private static final int TERMINATE_MILLIS = 10_000;

    private final String url;
    private final String schema;
    private final Connection guard;
    private final String version;
    private final String application;
    /** What the empty schema that was there before is called meanwhile; empty if there was none. */
    private final String keptAs;

    private volatile boolean closed;

    private GivenServer(String url, String schema, Connection guard) throws SQLException {
        this.url = url;
        this.schema = schema;
        this.guard = guard;
        this.version = "PostgreSQL " + guard.getMetaData().getDatabaseProductVersion();
        int number = Integer.parseInt(ask("SELECT pg_backend_pid()").get(0));
        this.application = "rowlock prove " + number;
        run("SET lock_timeout = '" + LOCK_LIMIT + "'");
        boolean exists =
                !ask("SELECT 1 FROM pg_namespace WHERE nspname = ?", schema).isEmpty();
        this.keptAs = exists ? "rowlock_kept_" + number : "";
        if (exists) {
            run("ALTER SCHEMA " + schema + " RENAME TO " + keptAs);
        }
    }

    /**
     * Connects, and takes the schema if everything is as it must be.
     *
     * @throws Refusal when something is not, saying what to do
     */
    static GivenServer open(String url) {
        PGSimpleDataSource source = GivenUrl.dataSource(url);
        Connection guard;
        try {
            guard = source.getConnection();
        } catch (SQLException e) {
            throw new Refusal(
                    "cannot connect to " + RemoteDatabase.redact(url) + ": "
                            + RemoteDatabase.redact(Refusal.reason(e))
                            + "; check --url, which also holds user and password (…?user=…&password=…)",
                    e);
        }
        try {
            String schema = source.getCurrentSchema();
            GivenServerChecks.require(guard, schema);
            return new GivenServer(url, schema, guard);
        } catch (SQLException | Refusal e) {
            try {
                guard.close();
            } catch (SQLException close) {
                e.addSuppressed(close);
            }
            throw e instanceof Refusal refusal ? refusal : new Refusal("--url: " + Refusal.reason(e), e);
        }
    }

    @Override
    public Connection connect(String search) throws SQLException {
        requireOpen();
        PGSimpleDataSource own = GivenUrl.dataSource(url);
        own.setPreferQueryMode(PreferQueryMode.SIMPLE);
        own.setCurrentSchema(search);
        own.setApplicationName(application);
        Connection connection = own.getConnection();
        try {
            // Whoever closes this meanwhile may not have seen the new session, which must not outlive the schema.
            requireOpen();
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private void requireOpen() throws SQLException {
        if (closed) {
            throw new SQLException("the proof has been stopped");
        }
    }

    @Override
    public String schema() {
        return schema;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (Connection last = guard) {
            // After a signal a session may still hold locks on what is to be dropped.
            ask(
                    "SELECT pg_terminate_backend(pid, " + TERMINATE_MILLIS + ") FROM pg_stat_activity"
                            + " WHERE application_name = ? AND pid <> pg_backend_pid()",
                    application);
            run("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
            if (!keptAs.isEmpty()) {
                run("ALTER SCHEMA " + keptAs + " RENAME TO " + schema);
            }
        } catch (SQLException e) {
            throw new Refusal(
                    "--url: schema " + schema + " could not be dropped: " + Refusal.reason(e)
                            + "; drop it yourself: DROP SCHEMA IF EXISTS " + schema + " CASCADE"
                            + (keptAs.isEmpty() ? "" : "; ALTER SCHEMA " + keptAs + " RENAME TO " + schema),
                    e);
        }
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = guard.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> ask(String sql, String... parameters) throws SQLException {
        return ask(guard, sql, parameters);
    }

    /** The first column of every row. */
    static List<String> ask(Connection connection, String sql, String... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            List<String> found = new ArrayList<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    found.add(String.valueOf(result.getString(1)));
                }
            }
            return found;
        }
    }
}
