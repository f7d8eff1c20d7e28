package dev.rowlock.prover;

import dev.rowlock.prover.engine.Report;

/** A race that had to be proved was not: it is violated, or could not be decided. The message holds the bad schedule, drawn. */
public final class NotProvedError extends AssertionError {
    private final transient Report report;

    NotProvedError(RaceReport found) {
        super(found.text());
        this.report = found.report();
    }

    /** All that was found out. */
    public Report report() {
        return report;
    }
}
