package dev.rowlock;

import java.sql.SQLException;

/**
 * The database gave this transaction up in favour of another: a deadlock (40P01) or a serialization failure (40001). Seen only
 * inside the function; let it pass, and the outermost {@link Rowlock#call} runs the function again. If it is caught and
 * swallowed, the transaction still rolls back and is run again.
 */
public final class TransactionConflictException extends RowlockException {
    TransactionConflictException(String message, SQLException cause) {
        super(message, cause);
    }
}
