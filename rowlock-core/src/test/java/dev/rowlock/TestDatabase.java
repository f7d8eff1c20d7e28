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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database of its own on the one PostgreSQL server of this JVM, with a pool. Deadlocks are found after 50 ms there instead of a
 * second, which changes when the server looks and nothing else.
 */
public final class TestDatabase implements AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    /** Databases that their tests have done with: emptying one takes a fraction of the time of making one. */
    private static final Queue<String> FREE = new ConcurrentLinkedQueue<>();

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
    public static TestDatabase create(String... sql) {
        return create(16, sql);
    }

    public static TestDatabase create(int poolSize, String... sql) {
        String name = FREE.poll();
        if (name == null) {
            name = "test" + NUMBER.incrementAndGet();
            execute(
                    direct("postgres"),
                    "CREATE DATABASE " + name,
                    "ALTER DATABASE " + name + " SET deadlock_timeout = '50ms'");
        } else {
            execute(direct(name), "DROP SCHEMA public CASCADE", "CREATE SCHEMA public", "SELECT pg_stat_reset()");
        }
        TestDatabase database = new TestDatabase(name, poolSize);
        database.sql(sql);
        return database;
    }

    private static PGSimpleDataSource direct(String database) {
        return (PGSimpleDataSource) SERVER.getDatabase("postgres", database);
    }

    public static int port() {
        return SERVER.getPort();
    }

    /** The pool. */
    public DataSource pool() {
        return pool;
    }

    /** A data source that opens a new connection each time; its properties may be changed. */
    public PGSimpleDataSource unpooled() {
        return direct(name);
    }

    public String name() {
        return name;
    }

    /** Runs statements, each in a transaction of its own, on a connection of its own. */
    public void sql(String... statements) {
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
    public long number(String query) {
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
    public void awaitBlocked(int sessions) {
        await("sessions that wait for a lock: " + sessions, "wait_event_type = 'Lock'", sessions);
    }

    /** Returns once this backend has ended. */
    public void awaitEnded(long pid) {
        await("the end of backend " + pid, "pid = " + pid, 0);
    }

    /**
     * How many deadlocks the server has broken in this database. Sessions hand in what they counted with a delay, at the latest
     * when they end: so this closes the pool and waits for that.
     */
    public long deadlocks() {
        pool.close();
        await("the end of all sessions", "pid <> pg_backend_pid() AND backend_type = 'client backend'", 0);
        return number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
    }

    /** Returns once no session of this database has a transaction that has written. */
    public void awaitNoTransaction() {
        await("the end of all writing transactions", "backend_xid IS NOT NULL", 0);
    }

    /** Returns once the server has counted this many; PostgreSQL 14 counts in a process of its own, a little later. */
    public void awaitDeadlocks(long count) {
        Awaitility.await("deadlocks: " + count).atMost(Duration.ofSeconds(20)).until(() -> deadlocks() == count);
    }

    private void await(String what, String condition, int sessions) {
        Awaitility.await(what)
                .atMost(Duration.ofSeconds(20))
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND "
                                + condition)
                        == sessions);
    }

    @Override
    public void close() {
        pool.close();
        sql("""
                SELECT pg_terminate_backend(pid, 20000)
                FROM pg_stat_activity
                WHERE datname = current_database()
                  AND pid <> pg_backend_pid()""");
        FREE.add(name);
    }
}
