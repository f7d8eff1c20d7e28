package dev.rowlock;

import org.jspecify.annotations.Nullable;

/**
 * A unit of work with a result. It may be run several times, each time in a new transaction, so it must do nothing outside
 * the database: put that into {@link Tx#afterCommit}.
 *
 * @param <T> what it returns
 * @param <X> what it throws besides unchecked exceptions
 */
@FunctionalInterface
public interface TxFunction<T extends @Nullable Object, X extends Exception> {
    /** Does the work in the given transaction. Returning commits, throwing rolls back. */
    T apply(Tx tx) throws X;
}
