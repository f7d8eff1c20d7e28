package dev.rowlock;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Hears what happens, for meters and logs. Called in the thread of the unit of work, so be quick and do no I/O: most calls come
 * while locks are held. What a listener throws is logged and otherwise ignored: a broken meter never changes an outcome.
 */
public interface RowlockListener {
    /** Hears nothing. */
    RowlockListener NONE = new RowlockListener() {};

    /** An outermost unit of work begins in this thread; {@link #onFinished} follows, whichever way it ends. */
    default void onStarted() {}

    /** Rows were locked, or not; see {@link LockRequest}. */
    default void onLock(LockRequest request) {}

    /** A guarded write changed nothing, or a row was missing or held; see {@link Conflict}. */
    default void onConflict(Conflict conflict) {}

    /** An attempt lost to other transactions and was rolled back; see {@link FailedAttempt}. */
    default void onFailedAttempt(FailedAttempt attempt) {}

    /** An outermost unit of work has ended, whichever way; see {@link Finished}. */
    default void onFinished(Finished finished) {}

    /** A transaction that somebody else opened, and in which units of work locked rows, has ended; see {@link OuterEnded}. */
    default void onOuterEnded(OuterEnded ended) {}

    /** The connection broke during COMMIT and the server has been asked; see {@link CommitChecked}. */
    default void onCommitChecked(CommitChecked checked) {}

    /** Work given to {@link Tx#afterCommit} failed. The commit stands and the other work is done; it is logged as well. */
    default void onAfterCommitFailure(Throwable failure) {}

    /**
     * One request that locks rows: a lock asked for, or a guarded update.
     *
     * @param table the table
     * @param strength how strong
     * @param rows how many rows it locked; 0 if it failed
     * @param waitNanos time from sending the request to its answer in nanoseconds: waiting, plus one round trip
     * @param granted false if it ended with an error
     */
    record LockRequest(Table table, Lock.Strength strength, int rows, long waitNanos, boolean granted) {}

    /** How two writers collided. */
    enum ConflictKind {
        /** The row had another version. */
        STALE,
        /** The guard did not hold. */
        REFUSED,
        /** The row was not there. */
        MISSING,
        /** The row was held and the caller would not wait. */
        LOCK_NOT_AVAILABLE,
        /** The row was held for longer than the caller would wait. */
        LOCK_TIMEOUT,
    }

    /**
     * A collision that the unit of work was told of.
     *
     * @param table the table
     * @param kind how
     */
    record Conflict(Table table, ConflictKind kind) {}

    /**
     * An attempt that was rolled back because of other transactions.
     *
     * @param attempt its number, from 1
     * @param sqlState 40001, 40P01, or 55P03 where that is retried
     * @param retryAfter how long will be waited before the next attempt, or null if there is none
     */
    record FailedAttempt(
            int attempt, String sqlState, @Nullable Duration retryAfter) {}

    /**
     * The end of an outermost unit of work.
     *
     * @param committed whether it is in the database
     * @param attempts how many times the function was run
     * @param totalNanos from the call to its end in nanoseconds, waits between attempts included, after-commit work left out
     * @param lockHoldNanos in the last attempt, from the answer to the first lock or write to the end of the transaction in
     *     nanoseconds; 0 if nothing was locked
     * @param failure what it ended with, if not committed
     */
    record Finished(
            boolean committed, int attempts, long totalNanos, long lockHoldNanos, Optional<Throwable> failure) {}

    /**
     * The end of a transaction that somebody else opened and that units of work took part in; told once for each in which they locked or wrote
     * rows, if its owner says when it ends.
     *
     * @param outcome what became of it; unknown if its owner does not know
     * @param lockHoldNanos from the answer to the first lock or write of a unit of work to the end of the transaction in nanoseconds
     */
    record OuterEnded(CommitOutcome outcome, long lockHoldNanos) {}

    /** What became of a commit: as the server said if its answer was lost. */
    enum CommitOutcome {
        /** It had happened. */
        COMMITTED,
        /** It had not happened and never will. */
        ROLLED_BACK,
        /** The server could not say. */
        UNKNOWN,
    }

    /**
     * A commit whose answer was lost.
     *
     * @param outcome what became of it
     * @param nanos how long it took to find out, in nanoseconds
     */
    record CommitChecked(CommitOutcome outcome, long nanos) {}
}
