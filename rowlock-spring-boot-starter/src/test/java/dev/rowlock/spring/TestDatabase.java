package dev.rowlock.spring;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.awaitility.Awaitility;

/** A database of its own on the one PostgreSQL server of this JVM, seen from outside of the application. */
public final class TestDatabase implements AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final EmbeddedPostgres SERVER = start();

    private final String name;

    private TestDatabase(String name) {
        this.name = name;
    }

    private static EmbeddedPostgres start() {
        try {
            return EmbeddedPostgres.builder().start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A new, empty database in which these statements were run. */
    public static TestDatabase create(String... sql) {
        String name = "spring" + NUMBER.incrementAndGet();
        new TestDatabase("postgres").sql("CREATE DATABASE " + name);
        TestDatabase database = new TestDatabase(name);
        database.sql("ALTER DATABASE " + name + " SET deadlock_timeout = '50ms'");
        database.sql(sql);
        return database;
    }

    public String url() {
        return SERVER.getJdbcUrl("postgres", name);
    }

    /** A pool that the test closes. */
    public HikariDataSource pool() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url());
        pool.setMinimumIdle(0);
        pool.setMaximumPoolSize(4);
        return pool;
    }

    /** Opens a new connection each time; an application that closes its data sources can do nothing to it. */
    public DataSource unpooled() {
        return SERVER.getDatabase("postgres", name);
    }

    public Connection connect() {
        try {
            return unpooled().getConnection();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs statements, each in a transaction of its own. */
    public void sql(String... statements) {
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
    public long number(String query) {
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

    /** Begins a transaction that has run these statements and holds its locks until it is closed, which commits it. */
    public Held hold(String... statements) {
        return new Held(connect(), statements);
    }

    /** Returns once this many sessions of this database wait for a lock that another one holds. */
    public void awaitBlocked(int sessions) {
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

    /** Another transaction, outside of the application. */
    public static final class Held implements AutoCloseable {
        private final Connection connection;

        private Held(Connection connection, String... statements) {
            this.connection = connection;
            try {
                connection.setAutoCommit(false);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            sql(statements);
        }

        public void sql(String... statements) {
            try (Statement statement = connection.createStatement()) {
                for (String sql : statements) {
                    statement.execute(sql);
                }
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
