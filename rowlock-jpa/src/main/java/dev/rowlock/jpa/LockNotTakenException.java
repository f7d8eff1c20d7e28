package dev.rowlock.jpa;

import dev.rowlock.RowlockException;

/**
 * A query was to lock rows, and the SQL that was about to be sent for it would not have locked them, or not as strongly. It was not
 * sent. Fix the program: the message holds the SQL and says what to write instead. HTTP: 500.
 */
public final class LockNotTakenException extends RowlockException {
    private final String sql;

    LockNotTakenException(String message, String sql) {
        super(message + (sql.isEmpty() ? "" : "; the SQL: " + sql), null);
        this.sql = sql;
    }

    /** The SQL without the lock; empty if none came past. */
    public String sql() {
        return sql;
    }
}
