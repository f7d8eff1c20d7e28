package dev.rowlock;

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

    /** The first SQLSTATE in the chain of causes, if the database was what failed. */
    public Optional<String> sqlState() {
        return SqlStates.first(this);
    }
}
