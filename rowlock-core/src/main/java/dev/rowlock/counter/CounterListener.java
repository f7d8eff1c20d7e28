package dev.rowlock.counter;

import dev.rowlock.Table;

/**
 * Hears what a {@link Counter} does, for meters and logs. Called in the thread that carries requests out, after the transaction has
 * ended and before the callers have their answers, so be quick; inside an open unit of work, and by {@link Counter#addIn} and
 * {@link Counter#addAllIn}, while that holds its locks and nothing is durable yet. What it throws is logged and otherwise ignored.
 */
public interface CounterListener {
    /** Hears nothing. */
    CounterListener NONE = new CounterListener() {};

    /** A request was carried out; see {@link Result}. */
    default void onCarriedOut(Table table, Result result) {}

    /**
     * A transaction or single statement has ended that carried out one request or several.
     *
     * @param requests how many were combined in it, at least 1; those put off because another transaction holds their row count too,
     *     and again the next time
     * @param nanos how long it took in nanoseconds
     */
    default void onBatch(Table table, int requests, long nanos) {}

    /** A request was not begun: {@link NotBegunException}. One that is cancelled is not told of. */
    default void onNotBegun(Table table, NotBegunException.Reason reason) {}

    /** What became of a request. */
    enum Result {
        /** All its rows were changed. */
        APPLIED,
        /** A bound or condition does not allow it: no row was changed. */
        REFUSED,
        /** A row is not there: no row was changed. */
        MISSING,
        /** It ended by an error. */
        FAILED;

        static Result of(Changes changes) {
            if (changes instanceof Changes.Applied) {
                return APPLIED;
            }
            return changes instanceof Changes.Refused ? REFUSED : MISSING;
        }
    }
}
