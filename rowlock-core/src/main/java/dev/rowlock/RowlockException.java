package dev.rowlock;

import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The family of errors, split by what the caller can do next. Misuse of the API is an {@link IllegalArgumentException} or
 * {@link IllegalStateException} instead.
 *
 * <p>Whenever {@link Rowlock#call} ends with one of these, other than {@link CommitUnknownException}, nothing of the unit of
 * work is in the database.
 */
public abstract class RowlockException extends RuntimeException {
    /** For the errors of what is built on units of work. */
    protected RowlockException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * The member of the family that says what the caller can do about an error of the database: for what sends its own statements
     * and reports their failure as Rowlock does. SQLSTATE decides.
     *
     * @param what the work that failed and the row it was about, as the beginning of a sentence
     * @param table that the work was about, where it was one
     * @param noWait whether the statement was not to wait for locks
     */
    public static RowlockException translate(String what, @Nullable Table table, boolean noWait, SQLException cause) {
        return SqlErrors.translate(what, table, noWait, cause);
    }

    /** The first SQLSTATE in the chain of causes, if the database was what failed. */
    public Optional<String> sqlState() {
        return SqlStates.first(this);
    }
}
