package dev.rowlock;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a thread that waits for a row lock inside the database listen to {@link Thread#interrupt}. A JDBC driver reads from its
 * socket and does not notice; so one daemon thread looks at all threads with a running statement and cancels the statements of
 * those that were interrupted. It ends when nothing has run for a while.
 */
final class InterruptWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InterruptWatch.class);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int IDLE_POLLS = 250;

    private static final Set<InterruptWatch> RUNNING = ConcurrentHashMap.newKeySet();
    private static final AtomicBoolean WATCHED = new AtomicBoolean();

    private final Thread thread = Thread.currentThread();
    private final Statement statement;

    private InterruptWatch(Statement statement) {
        this.statement = statement;
    }

    static InterruptWatch over(Statement statement) {
        InterruptWatch watch = new InterruptWatch(statement);
        RUNNING.add(watch);
        if (!WATCHED.get() && WATCHED.compareAndSet(false, true)) {
            Thread watcher = new Thread(InterruptWatch::watchAll, "rowlock-interrupts");
            watcher.setDaemon(true);
            watcher.setContextClassLoader(null); // it outlives the application whose thread happened to start it
            watcher.start();
        }
        return watch;
    }

    @Override
    public void close() {
        RUNNING.remove(this);
    }

    private static void watchAll() {
        int idle = 0;
        while (idle < IDLE_POLLS) {
            idle = RUNNING.isEmpty() ? idle + 1 : 0;
            for (InterruptWatch watch : RUNNING) {
                watch.cancelIfInterrupted();
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        WATCHED.set(false);
        // A statement that began between the last look and the line above relied on this thread: take the role back for
        // it.
        if (!RUNNING.isEmpty() && WATCHED.compareAndSet(false, true)) {
            watchAll();
        }
    }

    private void cancelIfInterrupted() {
        if (!thread.isInterrupted()) {
            return;
        }
        try {
            statement.cancel(); // has no effect on a statement that has ended; asked again until it has
        } catch (SQLException
                | RuntimeException e) { // whatever the driver or pool makes of it, the others are still watched
            LOG.warn("could not cancel the statement of the interrupted thread {}", thread.getName(), e);
        }
    }
}
