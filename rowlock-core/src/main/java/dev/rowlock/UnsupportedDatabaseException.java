package dev.rowlock;

import org.jspecify.annotations.Nullable;

/** The database is not one that Rowlock can keep its promises on: PostgreSQL 14 or newer. HTTP: 500. */
public final class UnsupportedDatabaseException extends RowlockException {
    UnsupportedDatabaseException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
