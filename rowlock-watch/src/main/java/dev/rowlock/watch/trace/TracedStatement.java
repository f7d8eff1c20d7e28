package dev.rowlock.watch.trace;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A call that sent SQL: one statement, a text of several, or a batch.
 *
 * @param number in the trace
 * @param session where
 * @param sql the text as sent, with its question marks; the first text of a batch
 * @param parts the statements of it, at least one and at most {@value #MOST_PARTS}
 * @param partsLeftOut how many more a batch had
 * @param changed rows that each statement inserted, updated or deleted, as far as the driver says
 * @param rowsRead rows that the program came to in the result, at least: those behind the last one it read are not counted
 * @param times when
 * @param stack from where it was sent
 * @param failure how it failed, if it did
 * @param expectedLocks tables that the program has said this statement locks, see {@link ExpectedLock}
 */
public record TracedStatement(
        long number,
        Session session,
        String sql,
        List<Part> parts,
        int partsLeftOut,
        List<Long> changed,
        long rowsRead,
        Times times,
        CallStack stack,
        Optional<Failure> failure,
        Set<String> expectedLocks)
        implements TraceRecord {
    /** Most statements of one batch that are told one by one. */
    public static final int MOST_PARTS = 1_000;

    /**
     * When a statement was in the database.
     *
     * @param startNanos when it was sent, on the clock of the trace
     * @param databaseNanos how long it took, without the time in which the program read its rows
     * @param sincePreviousNanos how long the transaction had been outside of the database before; empty for its first statement and
     *     for one that commits by itself
     */
    public record Times(long startNanos, long databaseNanos, OptionalLong sincePreviousNanos) {}

    public TracedStatement {
        parts = List.copyOf(parts);
        changed = List.copyOf(changed);
        expectedLocks = Set.copyOf(expectedLocks);
    }

    TracedStatement withRowsRead(long rows) {
        return new TracedStatement(
                number, session, sql, parts, partsLeftOut, changed, rows, times, stack, failure, expectedLocks);
    }

    /** Who sent it; empty if the trace does not look for callers or there is nothing but libraries. */
    public Optional<Caller> caller() {
        return stack.caller();
    }

    /** The statements with the values in their places, unless values are hidden. */
    public String text() {
        return parts.stream().map(Part::text).collect(Collectors.joining("; "));
    }

    /** All rows that were changed. */
    public long rowsChanged() {
        return changed.stream().mapToLong(count -> Math.max(0, count)).sum();
    }

    /** Whether the parser understood all of it. */
    public boolean parsed() {
        return parts.stream().allMatch(part -> part.shape().parsed());
    }
}
