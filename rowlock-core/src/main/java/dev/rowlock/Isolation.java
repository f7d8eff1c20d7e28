package dev.rowlock;

import java.sql.Connection;

/** The isolation levels of PostgreSQL, weakest first. READ UNCOMMITTED is left out: there it is READ COMMITTED. */
public enum Isolation {
    /**
     * Every statement sees what was committed when it began; a statement that waited for a row lock sees the row as it is
     * then. The default, and what row locks and guarded writes are made for.
     */
    READ_COMMITTED("READ COMMITTED"),
    /** One snapshot for the whole transaction; a write to a row changed since then fails with 40001 and is retried. */
    REPEATABLE_READ("REPEATABLE READ"),
    /** As if transactions ran one after the other, if <em>all</em> of them run at this level; else 40001 and a retry. */
    SERIALIZABLE("SERIALIZABLE");

    private final String sql;

    Isolation(String sql) {
        this.sql = sql;
    }

    String sql() {
        return sql;
    }

    static Isolation ofJdbc(int level) {
        return switch (level) {
            case Connection.TRANSACTION_REPEATABLE_READ -> REPEATABLE_READ;
            case Connection.TRANSACTION_SERIALIZABLE -> SERIALIZABLE;
            default -> READ_COMMITTED;
        };
    }

    static Isolation ofServerSetting(String setting) {
        return switch (setting) {
            case "repeatable read" -> REPEATABLE_READ;
            case "serializable" -> SERIALIZABLE;
            default -> READ_COMMITTED;
        };
    }
}
