package dev.rowlock;

import java.sql.SQLException;

/**
 * A statement of Rowlock failed for another reason: a constraint was broken, a column or table does not exist, a value does not
 * fit. {@link #sqlState()} says which. HTTP: 500, unless the program knows better (23505 is often a 409).
 */
public final class DatabaseException extends RowlockException {
    DatabaseException(String message, SQLException cause) {
        super(message, cause);
    }
}
