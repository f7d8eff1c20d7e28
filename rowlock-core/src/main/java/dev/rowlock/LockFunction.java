package dev.rowlock;

import org.jspecify.annotations.Nullable;

/**
 * A unit of work on what was locked for it; see {@link TxFunction}.
 *
 * @param <L> what was locked: a {@link Row} or {@link Rows}
 * @param <T> what it returns
 * @param <X> what it throws besides unchecked exceptions
 */
@FunctionalInterface
public interface LockFunction<L, T extends @Nullable Object, X extends Exception> {
    /** Does the work. Nobody else changes the rows before it has ended. Returning commits, throwing rolls back. */
    T apply(Tx tx, L locked) throws X;
}
