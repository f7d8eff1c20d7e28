package dev.rowlock;

/** The row is not there: it never was, or somebody deleted it. The caller can do nothing about it. HTTP: 404. */
public class MissingRowException extends RowlockException {
    private final transient Table table;
    private final transient Key key;

    /** For what is built on units of work, or beside them. */
    public MissingRowException(Table table, Key key) {
        this("there is no row " + key + " in " + table, table, key);
    }

    /** For what is built on units of work and knows more of the row that is missing. */
    protected MissingRowException(String message, Table table, Key key) {
        super(message, null);
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
