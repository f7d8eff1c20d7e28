package dev.rowlock.watch.waits;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Asks a PostgreSQL (14 or newer) who waits for whom. It writes nothing and never waits for a lock itself for more than 50 ms, and a
 * snapshot takes at most 5 s of the server's time; where that is not enough it fails with the server's error.
 *
 * <p>Any role can use it. Who waits, for whom, for which lock and for how long is visible to every role. Statements, states, ages and
 * addresses of other roles' sessions are visible to members of {@code pg_read_all_stats} (or {@code pg_monitor}) only; without that they
 * are null, and {@link LockSnapshot#complete()} says so. A row is told by its primary key to who may read its table, and else by its
 * place in the table.
 *
 * <p>A snapshot reads {@code pg_locks}, for which the server stops all locking for a moment: ask a busy server once a second, not a
 * hundred times.
 */
public final class LockWaits {
    /** The shortest interval between two snapshots of a subscription: 100 ms. */
    public static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

    private final DataSource dataSource;

    private LockWaits(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Looks at the server of this data source.
     *
     * @param dataSource a connection is taken for each snapshot and given back as it was; its role decides what can be seen
     */
    public static LockWaits of(DataSource dataSource) {
        return new LockWaits(Objects.requireNonNull(dataSource, "dataSource"));
    }

    /**
     * Who waits right now, in all databases of the server.
     *
     * @throws SQLException when the server cannot be asked
     */
    public LockSnapshot snapshot() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return snapshot(connection);
        }
    }

    /**
     * The same over a connection that the caller has.
     *
     * @param connection not inside a transaction; it is given back as it was
     * @throws SQLException when the server cannot be asked, and {@code 25001} when a transaction is open
     */
    public static LockSnapshot snapshot(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            throw new SQLException(
                    "lock waits need a connection in auto-commit mode, outside of a transaction", "25001");
        }
        // Limits for this transaction only: a pool's other users must not inherit them.
        connection.setAutoCommit(false);
        try {
            LockSnapshot snapshot = new SnapshotReader(connection).read();
            connection.rollback();
            return snapshot;
        } catch (SQLException | RuntimeException e) {
            rollBack(connection, e);
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static void rollBack(Connection connection, Exception first) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            first.addSuppressed(e);
        }
    }

    /**
     * Takes snapshots until it is closed, the first at once, in a daemon thread of its own.
     *
     * @param every time from the end of one snapshot to the beginning of the next, 100 ms or more
     * @param listener gets each snapshot, in order, never two at a time; if it throws, the subscription ends, and the thread's
     *     uncaught-exception handler gets what it threw
     * @param failed gets the error of each snapshot that could not be taken; the next one is tried all the same
     * @return closing it ends the subscription: no snapshot is taken after that, though one that has begun may still be told
     * @throws IllegalArgumentException when the interval is too short
     */
    public Subscription subscribe(
            Duration every, Consumer<? super LockSnapshot> listener, Consumer<? super SQLException> failed) {
        if (every.compareTo(SHORTEST_INTERVAL) < 0) {
            throw new IllegalArgumentException(
                    "the interval is " + every + ", and must be " + SHORTEST_INTERVAL + " or more");
        }
        return Subscription.start(this, every, Objects.requireNonNull(listener), Objects.requireNonNull(failed));
    }
}
