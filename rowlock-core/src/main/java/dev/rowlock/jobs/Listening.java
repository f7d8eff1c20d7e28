package dev.rowlock.jobs;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for notifications on one connection and wakes the worker. JDBC has no call for that, so the driver's own is looked up by name:
 * this library does not depend on the driver. When the connection breaks, another one is opened after a growing pause; until then the
 * worker polls.
 */
final class Listening implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final int WAIT_MILLIS = 500;
    private static final int CHECK_SECONDS = 5;
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final DataSource dataSource;
    private final Signal worker;
    private final Signal own;
    private final LongSupplier nanoTime;
    private final Class<?> driverConnection;
    private final Method getNotifications;
    private volatile boolean stopping;

    /** @throws IllegalStateException if the PostgreSQL driver is not on the class path */
    Listening(DataSource dataSource, Signal worker, LongSupplier nanoTime) {
        this.dataSource = dataSource;
        this.worker = worker;
        this.own = new Signal(nanoTime);
        this.nanoTime = nanoTime;
        try {
            driverConnection = Class.forName("org.postgresql.PGConnection");
            getNotifications = driverConnection.getMethod("getNotifications", int.class);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "listenOn needs the PostgreSQL JDBC driver (org.postgresql:postgresql) on the class path; leave it"
                            + " out to poll only",
                    e);
        }
    }

    @Override
    public void run() {
        Duration pause = FIRST_PAUSE;
        while (!stopping) {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(true);
                execute(connection, "LISTEN " + WakeUps.CHANNEL);
                pause = FIRST_PAUSE;
                worker.wake(); // what was told while nobody listened
                listen(connection);
                execute(connection, "UNLISTEN " + WakeUps.CHANNEL);
            } catch (SQLException e) {
                LOG.warn("listening for jobs broke off; polling meanwhile, and again in {}", pause, e);
                own.await(pause);
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
            }
        }
    }

    private void listen(Connection connection) throws SQLException {
        Object driver = connection.unwrap(driverConnection);
        long checkedAt = nanoTime.getAsLong();
        while (!stopping) {
            Object[] told = notifications(driver);
            if (told != null && told.length > 0) {
                worker.wake();
            }
            if (nanoTime.getAsLong() - checkedAt > CHECK_INTERVAL.toNanos()) {
                if (!connection.isValid(CHECK_SECONDS)) {
                    throw new SQLException("the connection does not answer any more");
                }
                checkedAt = nanoTime.getAsLong();
            }
        }
    }

    private Object[] notifications(Object driver) throws SQLException {
        try {
            return (Object[]) getNotifications.invoke(driver, WAIT_MILLIS);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException sql) {
                throw sql;
            }
            throw new IllegalStateException("waiting for notifications failed", e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the driver's getNotifications cannot be called", e);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    void stop() {
        stopping = true;
        own.wake();
    }
}
