package dev.rowlock;

import java.sql.SQLException;

/**
 * No connection could be had, or it broke before the commit, or the server ended the session (for example because the
 * transaction stood idle longer than its limit). The transaction was rolled back for certain; the caller can try again.
 * HTTP: 503 with {@code Retry-After}.
 */
public final class ConnectionLostException extends RowlockException {
    ConnectionLostException(String message, SQLException cause) {
        super(message, cause);
    }
}
