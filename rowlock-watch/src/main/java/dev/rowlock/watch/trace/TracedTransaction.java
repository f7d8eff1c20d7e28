package dev.rowlock.watch.trace;

import java.util.Optional;

/**
 * The begin or the end of a transaction.
 *
 * @param number in the trace
 * @param session where
 * @param event what happened
 * @param how how it was done, such as {@code COMMIT} or {@code ROLLBACK by close()}
 * @param statements how many were sent in it
 * @param nanos how long it was open; 0 at its begin
 * @param outsideNanos how much of that the program spent outside of the database
 * @param sincePreviousNanos how much of that since the last statement
 * @param failure how the commit failed, if it did
 */
public record TracedTransaction(
        long number,
        Session session,
        Event event,
        String how,
        int statements,
        long nanos,
        long outsideNanos,
        long sincePreviousNanos,
        Optional<Failure> failure)
        implements TraceRecord {
    /** What happens to a transaction. */
    public enum Event {
        /** Its first statement is about to be sent. */
        BEGUN,
        COMMITTED,
        ROLLED_BACK,
        /** The commit failed without an answer of the server (SQLSTATE class 08): nobody here knows. */
        UNKNOWN
    }
}
