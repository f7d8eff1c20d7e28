package dev.rowlock;

import dev.rowlock.RowlockListener.CommitChecked;
import dev.rowlock.RowlockListener.CommitOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out what became of a transaction whose connection broke during COMMIT: asks {@code pg_xact_status} for its id on a fresh
 * connection until the answer is final. While the old session is still there, not yet aware that its client is gone, the answer
 * is "in progress"; after a while that session is ended, found by the transaction id it holds, so that the answer becomes final.
 *
 * <p>The answer is the server's own; it holds for a server that lost no acknowledged commit. After a fail-over to an asynchronous
 * replica, transaction ids may mean something else.
 */
final class CommitCheck {
    private static final Logger LOG = LoggerFactory.getLogger(CommitCheck.class);
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final int STATEMENT_TIMEOUT_SECONDS = 5;

    private static final String STATUS = "SELECT pg_xact_status(CAST(? AS xid8))";
    private static final String END_OLD_SESSION = """
            SELECT pg_terminate_backend(pid)
            FROM pg_stat_activity
            WHERE backend_xid = CAST(CAST(? AS xid8) AS xid)
              AND pid <> pg_backend_pid()""";

    private final DataSource dataSource;
    private final Settings settings;

    CommitCheck(DataSource dataSource, Settings settings) {
        this.dataSource = dataSource;
        this.settings = settings;
    }

    /** Returns if the transaction did commit. */
    void requireCommitted(@Nullable String xid, SQLException lost) {
        long begin = settings.nanoTime().getAsLong();
        CommitOutcome outcome = xid == null ? CommitOutcome.UNKNOWN : ask(xid, lost, begin);
        CommitChecked checked = new CommitChecked(outcome, settings.nanoTime().getAsLong() - begin);
        settings.listener().tell(listener -> listener.onCommitChecked(checked));
        switch (outcome) {
            case COMMITTED ->
                LOG.info("the connection broke during COMMIT; the server says that transaction {} did commit", xid);
            case ROLLED_BACK ->
                throw new ConnectionLostException(
                        "the connection broke during COMMIT; the server says that the transaction was rolled back",
                        lost);
            case UNKNOWN ->
                throw new CommitUnknownException(
                        "the connection broke during COMMIT and "
                                + (xid == null
                                        ? "no statement of Rowlock had brought back the transaction's id to ask for"
                                        : "the server could not say within "
                                                + settings.commitCheckLimit().toMillis()
                                                + " ms what became of transaction " + xid)
                                + "; look at the data before trying again",
                        xid,
                        lost);
        }
    }

    private CommitOutcome ask(String xid, SQLException lost, long begin) {
        boolean ended = false;
        while (true) {
            boolean pastGrace = elapsed(begin).compareTo(GRACE) > 0;
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(true);
                CommitOutcome outcome = status(connection, xid);
                if (outcome != null) {
                    return outcome;
                }
                if (pastGrace && !ended) {
                    endOldSession(connection, xid);
                    ended = true;
                }
            } catch (SQLException e) {
                if (e != lost) {
                    lost.addSuppressed(e);
                }
            }
            if (elapsed(begin).compareTo(settings.commitCheckLimit()) > 0) {
                return CommitOutcome.UNKNOWN;
            }
            try {
                settings.sleeper().sleep(PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return CommitOutcome.UNKNOWN;
            }
        }
    }

    /** Null while it is in progress. */
    private static @Nullable CommitOutcome status(Connection connection, String xid) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(STATUS)) {
            statement.setQueryTimeout(STATEMENT_TIMEOUT_SECONDS);
            statement.setString(1, xid);
            try (ResultSet result = statement.executeQuery()) {
                String status = result.next() ? result.getString(1) : null;
                if (status == null) {
                    return CommitOutcome.UNKNOWN; // so old that the server has forgotten
                }
                return switch (status) {
                    case "committed" -> CommitOutcome.COMMITTED;
                    case "aborted" -> CommitOutcome.ROLLED_BACK;
                    default -> null;
                };
            }
        }
    }

    private static void endOldSession(Connection connection, String xid) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(END_OLD_SESSION)) {
            statement.setQueryTimeout(STATEMENT_TIMEOUT_SECONDS);
            statement.setString(1, xid);
            statement.execute();
        }
    }

    private Duration elapsed(long begin) {
        return Duration.ofNanos(settings.nanoTime().getAsLong() - begin);
    }
}
