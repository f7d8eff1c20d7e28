package dev.rowlock.service;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** A database of its own on the one PostgreSQL server of this JVM. */
final class TestDatabase implements AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final EmbeddedPostgres SERVER = startServer();

    private final String name;

    private TestDatabase(String name) {
        this.name = name;
    }

    private static EmbeddedPostgres startServer() {
        try {
            return EmbeddedPostgres.builder().start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static TestDatabase create() {
        String name = "service" + NUMBER.incrementAndGet();
        new TestDatabase("postgres").sql("CREATE DATABASE " + name);
        return new TestDatabase(name);
    }

    String url() {
        return SERVER.getJdbcUrl("postgres", name);
    }

    private Connection connect() throws SQLException {
        return SERVER.getDatabase("postgres", name).getConnection();
    }

    /** Runs statements, each in a transaction of its own. */
    void sql(String... statements) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The one number that the query returns. */
    long number(String query) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            if (!result.next()) {
                throw new IllegalStateException("no row: " + query);
            }
            return result.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Begins a transaction outside of the service that holds the row until it is closed. */
    Held hold(String table, long id) {
        try {
            Held held = new Held(connect());
            held.sql("SELECT FROM " + table + " WHERE id = " + id + " FOR UPDATE");
            return held;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns once this many sessions of this database wait for a lock that another one holds. */
    void awaitBlocked(int sessions) {
        Awaitility.await("sessions that wait for a lock: " + sessions)
                .atMost(Duration.ofSeconds(30))
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                + " AND wait_event_type = 'Lock'")
                        == sessions);
    }

    @Override
    public void close() {
        new TestDatabase("postgres").sql("DROP DATABASE " + name + " WITH (FORCE)");
    }

    /** A transaction that holds locks; closing it lets them go. */
    static final class Held implements AutoCloseable {
        private final Connection connection;

        private Held(Connection connection) throws SQLException {
            this.connection = connection;
            connection.setAutoCommit(false);
        }

        void sql(String sql) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            try (connection) {
                connection.commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
