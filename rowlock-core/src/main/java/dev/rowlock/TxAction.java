package dev.rowlock;

/**
 * A unit of work without a result; see {@link TxFunction}.
 *
 * @param <X> what it throws besides unchecked exceptions
 */
@FunctionalInterface
public interface TxAction<X extends Exception> {
    /** Does the work in the given transaction. Returning commits, throwing rolls back. */
    void run(Tx tx) throws X;
}
