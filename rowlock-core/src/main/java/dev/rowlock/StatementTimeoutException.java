package dev.rowlock;

import java.sql.SQLException;

/**
 * A statement was cancelled by the server (SQLSTATE 57014): it ran longer than the statement timeout, or somebody cancelled it.
 * The caller can try later. HTTP: 503 with {@code Retry-After}.
 */
public final class StatementTimeoutException extends RowlockException {
    StatementTimeoutException(String message, SQLException cause) {
        super(message, cause);
    }
}
