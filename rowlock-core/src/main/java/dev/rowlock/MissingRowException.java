package dev.rowlock;

/** The row is not there: it never was, or somebody deleted it. The caller can do nothing about it. HTTP: 404. */
public final class MissingRowException extends RowlockException {
    private final transient Table table;
    private final transient Key key;

    MissingRowException(Table table, Key key) {
        super("there is no row " + key + " in " + table, null);
        this.table = table;
        this.key = key;
    }

    /** The table that was looked in. */
    public Table table() {
        return table;
    }

    /** The key that was looked for; the first in the caller's order where several are missing. */
    public Key key() {
        return key;
    }
}
