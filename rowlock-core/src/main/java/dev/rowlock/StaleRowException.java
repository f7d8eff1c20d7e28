package dev.rowlock;

/**
 * Somebody changed the row since the caller read it. The caller can reload, merge or ask the person. HTTP: 409, or 412 when the
 * request carried {@code If-Match}.
 */
public final class StaleRowException extends RowlockException {
    private final transient Table table;
    private final transient Row current;
    private final long expectedVersion;
    private final long currentVersion;

    /** For what is built on units of work, or beside them. The row's table must have a version column. */
    public StaleRowException(Table table, Row current, long expectedVersion) {
        super(
                "row " + current.key() + " of " + table + " has version " + current.version()
                        + ", the change was made to version " + expectedVersion + "; read it again",
                null);
        this.table = table;
        this.current = current;
        this.expectedVersion = expectedVersion;
        this.currentVersion = current.version();
    }

    /** The table of the row. */
    public Table table() {
        return table;
    }

    /** The row as it is now, read without a lock. */
    public Row current() {
        return current;
    }

    /** The version that the caller had read. */
    public long expectedVersion() {
        return expectedVersion;
    }

    /** The version that the row has now. */
    public long currentVersion() {
        return currentVersion;
    }
}
