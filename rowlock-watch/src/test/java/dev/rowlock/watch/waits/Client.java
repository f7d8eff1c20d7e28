package dev.rowlock.watch.waits;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;

/** A session stepped by the test: what it begins and has to wait for goes on in its own thread. */
final class Client implements AutoCloseable {
    private static final String WAITS = """
            SELECT 1
              FROM pg_stat_activity
             WHERE pid = %d
               AND (wait_event_type = 'Lock' OR wait_event = 'SafeSnapshot')
            """;

    private final Connection connection;
    private final Connection control;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final int pid;

    private Client(EmbeddedPostgres server, String user, String database, String application) throws SQLException {
        String url = "jdbc:postgresql://localhost:" + server.getPort() + "/" + database + "?user=" + user;
        this.connection = DriverManager.getConnection(url + "&ApplicationName=" + application);
        this.control = server.getPostgresDatabase().getConnection();
        this.pid = Integer.parseInt(ask("SELECT pg_backend_pid()"));
    }

    static Client open(EmbeddedPostgres server, String application) throws SQLException {
        return new Client(server, "postgres", "postgres", application);
    }

    static Client open(EmbeddedPostgres server, String user, String database) throws SQLException {
        return new Client(server, user, database, "other");
    }

    int pid() {
        return pid;
    }

    Connection connection() {
        return connection;
    }

    Client run(String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
        return this;
    }

    String ask(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }

    /** Begins a statement that waits inside the server until the end of the test. */
    void block(String sql) {
        assertThat(begin(sql)).isNotDone();
    }

    /** Begins a statement and returns once it waits inside the server. */
    Future<?> begin(String sql) {
        Future<?> step = thread.submit(() -> run(sql));
        Awaitility.await("a wait inside the server: " + sql)
                .atMost(Duration.ofSeconds(20))
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> waits() || step.isDone());
        if (step.isDone()) {
            throw new AssertionError("did not wait: " + sql);
        }
        return step;
    }

    private boolean waits() throws SQLException {
        try (Statement statement = control.createStatement();
                ResultSet result = statement.executeQuery(WAITS.formatted(pid))) {
            return result.next();
        }
    }

    /** Ends the session on the server, whatever it waits for. */
    @Override
    public void close() throws SQLException {
        try (control;
                connection;
                Statement statement = control.createStatement()) {
            statement.execute("SELECT pg_terminate_backend(" + pid + ", 10000)");
        }
        thread.shutdown();
    }
}
