package dev.rowlock;

import com.zaxxer.hikari.HikariConfig;
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
import org.postgresql.ds.PGSimpleDataSource;

/** A database of its own on the one PostgreSQL server of this JVM; closed pools with it. */
final class TestDatabase implements AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final EmbeddedPostgres SERVER = start();

    private final String name;
    private final HikariDataSource pool;

    private TestDatabase(String name, int poolSize) {
        this.name = name;
        HikariConfig config = new HikariConfig();
        config.setDataSource(direct(name));
        config.setMaximumPoolSize(poolSize);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(20_000);
        this.pool = new HikariDataSource(config);
    }

    private static EmbeddedPostgres start() {
        try {
            return EmbeddedPostgres.builder().start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A new, empty database with a pool of 16 connections. */
    static TestDatabase create(String... sql) {
        return create(16, sql);
    }

    static TestDatabase create(int poolSize, String... sql) {
        String name = "test" + NUMBER.incrementAndGet();
        execute(direct("postgres"), "CREATE DATABASE " + name);
        TestDatabase database = new TestDatabase(name, poolSize);
        database.sql(sql);
        return database;
    }

    private static PGSimpleDataSource direct(String database) {
        return (PGSimpleDataSource) SERVER.getDatabase("postgres", database);
    }

    static int port() {
        return SERVER.getPort();
    }

    /** The pool. */
    DataSource pool() {
        return pool;
    }

    /** A data source that opens a new connection each time; its properties may be changed. */
    PGSimpleDataSource unpooled() {
        return direct(name);
    }

    String name() {
        return name;
    }

    /** Runs statements, each in a transaction of its own, on a connection of its own. */
    void sql(String... statements) {
        execute(direct(name), statements);
    }

    private static void execute(DataSource dataSource, String... statements) {
        try (Connection connection = dataSource.getConnection();
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
        try (Connection connection = direct(name).getConnection();
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

    /** Returns once this many sessions of this database wait for a lock that another one holds. */
    void awaitBlocked(int sessions) {
        Awaitility.await("sessions that wait for a lock: " + sessions)
                .atMost(Duration.ofSeconds(20))
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                + " AND wait_event_type = 'Lock'")
                        == sessions);
    }

    /** All tables' row counters of deadlocks in this database. */
    long deadlocks() {
        sql("SELECT pg_stat_clear_snapshot()");
        return number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
    }

    @Override
    public void close() {
        pool.close();
        execute(direct("postgres"), "DROP DATABASE " + name + " WITH (FORCE)");
    }
}
