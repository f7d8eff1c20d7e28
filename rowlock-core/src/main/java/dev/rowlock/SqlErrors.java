package dev.rowlock;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Turns an {@link SQLException} into the member of the family that says what the caller can do. */
final class SqlErrors {
    private SqlErrors() {}

    /**
     * @param what the work that failed and the row it was about, as the beginning of a sentence
     */
    static RowlockException translate(String what, @Nullable Table table, boolean noWait, SQLException e) {
        String why = " (" + e.getMessage() + ", SQLSTATE " + e.getSQLState() + ")";
        if (Thread.currentThread().isInterrupted() && (SqlStates.isCanceled(e) || SqlStates.isConnectionLost(e))) {
            return new TransactionInterruptedException(what + " was given up because the thread was interrupted", e);
        }
        if (SqlStates.isRetryable(e)) {
            return new TransactionConflictException(what + " lost to another transaction" + why, e);
        }
        if (SqlStates.isLockNotAvailable(e)) {
            String held = noWait
                    ? " did not get its lock: another transaction holds the row, and the request was not to wait"
                    : " waited in vain: another transaction holds the row";
            return new LockTimeoutException(what + held + why, table, noWait, e);
        }
        if (SqlStates.isCanceled(e)) {
            return new StatementTimeoutException(
                    what + " was cancelled, by the statement timeout or a request" + why, e);
        }
        if (SqlStates.isConnectionLost(e)) {
            return new ConnectionLostException(
                    what
                            + " found the session ended: the connection broke, or the transaction stood idle beyond its limit; it is rolled back"
                            + why,
                    e);
        }
        return new DatabaseException(what + " failed" + why, e);
    }
}
