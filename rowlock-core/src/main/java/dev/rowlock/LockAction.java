package dev.rowlock;

/**
 * A unit of work without a result on what was locked for it; see {@link TxFunction}.
 *
 * @param <L> what was locked: a {@link Row} or {@link Rows}
 * @param <X> what it throws besides unchecked exceptions
 */
@FunctionalInterface
public interface LockAction<L, X extends Exception> {
    /** Does the work. Nobody else changes the rows before it has ended. Returning commits, throwing rolls back. */
    void run(Tx tx, L locked) throws X;
}
