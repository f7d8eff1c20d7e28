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
 * <p>A server that comes back from a crash may hand out again an id whose owner left no durable trace, and so may a replica that
 * took over. Such an owner did not commit, but its id may come to say so. "Committed" is therefore believed only from the same
 * run of the server; "aborted" always, since a durable commit keeps its id from being used again.
 */
final class CommitCheck {
    private static final Logger LOG = LoggerFactory.getLogger(CommitCheck.class);
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final int STATEMENT_TIMEOUT_SECONDS = 5;

    private static final String STATUS =
            "SELECT pg_xact_status(CAST(? AS xid8)), (SELECT stats_reset::text FROM pg_stat_bgwriter)";
    private static final String END_OLD_SESSION = """
            SELECT pg_terminate_backend(pid)
            FROM pg_stat_activity
            WHERE backend_xid = CAST(CAST(? AS xid8) AS xid)
              AND pid <> pg_backend_pid()""";

    private final DataSource dataSource;
    private final Settings settings;
    private final String serverRun;

    CommitCheck(DataSource dataSource, Settings settings, String serverRun) {
        this.dataSource = dataSource;
        this.settings = settings;
        this.serverRun = serverRun;
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
        SQLException lastError = null;
        boolean ended = false;
        while (true) {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(true);
                CommitOutcome outcome = status(connection, xid);
                if (outcome != null) {
                    return outcome;
                }
                if (!ended && elapsed(begin).compareTo(GRACE) > 0) {
                    endOldSession(connection, xid);
                    ended = true;
                }
            } catch (SQLException e) {
                lastError = e;
            }
            boolean late = elapsed(begin).compareTo(settings.commitCheckLimit()) > 0;
            if (late || !pause()) {
                if (lastError != null && lastError != lost) {
                    lost.addSuppressed(lastError);
                }
                return CommitOutcome.UNKNOWN;
            }
        }
    }

    private boolean pause() {
        try {
            settings.sleeper().sleep(PAUSE);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Null while it is in progress. */
    private @Nullable CommitOutcome status(Connection connection, String xid) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(STATUS)) {
            statement.setQueryTimeout(STATEMENT_TIMEOUT_SECONDS);
            statement.setString(1, xid);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                String status = result.getString(1); // NULL: so old that the server has forgotten
                if ("aborted".equals(status)) {
                    return CommitOutcome.ROLLED_BACK;
                }
                boolean sameRun = serverRun.equals(String.valueOf(result.getString(2)));
                if (status == null || !sameRun) {
                    return CommitOutcome.UNKNOWN;
                }
                return status.equals("committed") ? CommitOutcome.COMMITTED : null;
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
