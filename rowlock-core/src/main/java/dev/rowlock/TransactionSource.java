package dev.rowlock;

import java.util.Optional;

/**
 * Knows the transactions that somebody else opens, commits and rolls back on the data source of a {@link Rowlock}: a framework, a
 * container. With {@link Rowlock.Builder#joining}, a unit of work that is called inside such a transaction becomes a part of it.
 */
@FunctionalInterface
public interface TransactionSource {
    /** Knows of none. */
    TransactionSource NONE = Optional::empty;

    /**
     * The transaction that is open in this thread, if there is one that can still commit: neither one that is suspended nor one whose
     * commit or rollback is behind it, although its connection may still be at hand. Asked before every unit of work, so it must be
     * quick and send nothing.
     */
    Optional<OuterTransaction> current();
}
