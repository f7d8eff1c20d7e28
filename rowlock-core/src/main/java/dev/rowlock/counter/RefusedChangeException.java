package dev.rowlock.counter;

import dev.rowlock.RowlockException;

/** The bounds or a condition of a {@link Counter} do not allow the change. The caller can tell the person why. HTTP: 409. */
public final class RefusedChangeException extends RowlockException {
    private final transient Change.Refused refused;

    RefusedChangeException(Change.Refused refused) {
        super(
                "row " + refused.key() + " of " + refused.table() + " does not allow a change by " + refused.delta()
                        + ": " + refused.reason(),
                null);
        this.refused = refused;
    }

    /** The row, what was asked of it and what it holds. */
    public Change.Refused refused() {
        return refused;
    }
}
