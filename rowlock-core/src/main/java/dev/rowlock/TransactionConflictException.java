package dev.rowlock;

/**
 * The database gave this transaction up in favour of another: a deadlock (40P01) or a serialization failure (40001). Seen only
 * inside the function; let it pass, and the outermost {@link Rowlock#call} runs the function again. If it is caught and
 * swallowed, the transaction still rolls back and is run again.
 *
 * <p>In a unit of work that is a part of somebody else's transaction (see {@link Rowlock.Builder#joining}) it reaches the caller of
 * {@link Rowlock#call} as well, because only the owner of the transaction can run the whole of it again.
 */
public final class TransactionConflictException extends RowlockException {
    TransactionConflictException(String message, Throwable cause) {
        super(message, cause);
    }
}
