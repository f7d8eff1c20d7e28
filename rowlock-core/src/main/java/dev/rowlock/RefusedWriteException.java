package dev.rowlock;

/** The row does not allow the change: its guard did not hold. The caller can tell the person why. HTTP: 409. */
public final class RefusedWriteException extends RowlockException {
    private final transient Table table;
    private final transient Row current;

    RefusedWriteException(Table table, Row current, String guard) {
        super(
                "row " + current.key() + " of " + table + " does not allow the change: not (" + guard + ") for "
                        + current,
                null);
        this.table = table;
        this.current = current;
    }

    /** The table of the row. */
    public Table table() {
        return table;
    }

    /** A state of the row in which the guard does not hold, read without a lock after the refusal. */
    public Row current() {
        return current;
    }
}
