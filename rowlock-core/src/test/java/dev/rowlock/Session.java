package dev.rowlock;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * One side of a schedule in plain JDBC, stepped by the test: a connection with an open transaction. A step returns when it is
 * done, or, if it is expected to wait for the other side, as soon as it really waits inside the database.
 */
public final class Session implements AutoCloseable {
    private final TestDatabase database;
    private final Connection connection;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final long pid;

    private Session(TestDatabase database, int isolation) throws SQLException {
        this.database = database;
        this.connection = database.unpooled().getConnection();
        connection.setTransactionIsolation(isolation);
        // A schedule that goes another way than written ends with an error instead of hanging.
        run("SET lock_timeout = '20s'");
        this.pid = read("SELECT pg_backend_pid()");
        connection.setAutoCommit(false);
    }

    /** A session at READ COMMITTED. */
    public static Session open(TestDatabase database) throws SQLException {
        return new Session(database, Connection.TRANSACTION_READ_COMMITTED);
    }

    /** A session at REPEATABLE READ. */
    public static Session openRepeatableRead(TestDatabase database) throws SQLException {
        return new Session(database, Connection.TRANSACTION_REPEATABLE_READ);
    }

    /** A session in which every statement is a transaction of its own. */
    public static Session openAutoCommit(TestDatabase database) throws SQLException {
        Session session = open(database);
        session.connection.setAutoCommit(true);
        return session;
    }

    /** The first column of the one row that the query returns; a truth value is 1 or 0. */
    public long read(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            if (!result.next()) {
                throw new AssertionError("no row: " + query);
            }
            return result.getObject(1) instanceof Boolean truth ? (truth ? 1 : 0) : result.getLong(1);
        }
    }

    /** Runs a statement and returns how many rows it changed or found. */
    public int run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return statement.getUpdateCount();
            }
            int rows = 0;
            try (ResultSet result = statement.getResultSet()) {
                while (result.next()) {
                    rows++;
                }
            }
            return rows;
        }
    }

    /** The SQLSTATE that the statement fails with. */
    public String fail(String sql) {
        try {
            int rows = run(sql);
            throw new AssertionError("expected a failure, got " + rows + " row(s): " + sql);
        } catch (SQLException e) {
            return e.getSQLState();
        }
    }

    /** Begins a query or change that may or may not have to wait. */
    public Step start(String sql) {
        return new Step(thread.submit(() -> sql.startsWith("SELECT") ? read(sql) : (long) run(sql)));
    }

    /** Begins a query or change that has to wait for another session, and returns once it does. */
    public Step begin(String sql) {
        Future<Long> step = start(sql).future();
        Awaitility.await("a wait inside the database: " + sql)
                .atMost(Duration.ofSeconds(20))
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> waits() || step.isDone());
        if (step.isDone() && !failed(step)) {
            throw new AssertionError("did not wait: " + sql);
        }
        return new Step(step);
    }

    private boolean waits() {
        return database.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pid = " + pid)
                == 1;
    }

    private static boolean failed(Future<?> step) {
        try {
            Threads.result(step);
            return false;
        } catch (ExecutionException e) {
            return true;
        }
    }

    /** A step in another thread. */
    public record Step(Future<Long> future) {
        /** The number that the query returned, or of rows that were changed, after the wait. */
        public long result() throws ExecutionException {
            return Threads.result(future);
        }

        /** The SQLSTATE it ended with after the wait. */
        public String failure() {
            return ((SQLException) Threads.failure(future)).getSQLState();
        }
    }

    /** How two steps ended that wait for each other: each "ok" or an SQLSTATE. */
    public static List<String> endings(Step... steps) {
        return Stream.of(steps)
                .map(step -> failed(step.future()) ? step.failure() : "ok")
                .toList();
    }

    /** Commits. */
    public void commit() throws SQLException {
        connection.commit();
    }

    /** Rolls back. */
    public void rollback() throws SQLException {
        connection.rollback();
    }

    @Override
    public void close() throws SQLException {
        thread.shutdownNow();
        connection.close();
    }
}
