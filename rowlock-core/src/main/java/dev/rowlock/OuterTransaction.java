package dev.rowlock;

import dev.rowlock.RowlockListener.CommitOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;

/**
 * A transaction that somebody else opened and ends, as a {@link TransactionSource} hands it out for one unit of work. Used by one
 * thread. Two of them that stand for the same transaction are {@linkplain Object#equals equal}.
 */
public interface OuterTransaction extends AutoCloseable {
    /**
     * Its connection, not in auto-commit mode; the same one until {@link #close}.
     *
     * @throws SQLException if there is none to be had
     */
    Connection connection() throws SQLException;

    /** Whether it was opened to read only. Then locks and guarded writes are refused before they are sent. */
    boolean readOnly();

    /** Makes sure that it can only roll back, whoever catches the failure. */
    void markRollbackOnly(Throwable cause);

    /**
     * Has this run once it has committed, and never otherwise: not if it rolls back, nor if what the unit of work did is undone by a
     * savepoint. What is run throws nothing.
     */
    void afterCommit(Runnable work);

    /**
     * Has this run once it has ended, whichever way, with what became of it; locks are held until then. Only the first one in a transaction is
     * run, so that it is told once. It is quick and throws nothing. By default it is never run, for owners that do not hear of the end.
     */
    default void atEnd(Consumer<CommitOutcome> work) {}

    /** The unit of work is over and lets go of the connection; the transaction goes on. */
    @Override
    void close();
}
