package dev.rowlock;

import org.jspecify.annotations.Nullable;

/**
 * The thread was interrupted while it waited: for a connection, a lock or the next attempt. The transaction was rolled back; the
 * thread's interrupt flag is set. HTTP: 503.
 */
public final class TransactionInterruptedException extends RowlockException {
    /** For who runs a function again around a transaction of somebody else. */
    public TransactionInterruptedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
