package dev.rowlock.watch.trace;

import dev.rowlock.watch.internal.SqlTokens;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;

/** A level of isolation. */
public enum Isolation {
    /** The same as {@link #READ_COMMITTED} on PostgreSQL. */
    READ_UNCOMMITTED,
    READ_COMMITTED,
    REPEATABLE_READ,
    SERIALIZABLE;

    /** Whether the database refuses to overwrite what has changed since the transaction read it, with SQLSTATE 40001. */
    public boolean detectsLostUpdates() {
        return this == REPEATABLE_READ || this == SERIALIZABLE;
    }

    static Isolation of(int level) {
        return switch (level) {
            case Connection.TRANSACTION_READ_UNCOMMITTED -> READ_UNCOMMITTED;
            case Connection.TRANSACTION_REPEATABLE_READ -> REPEATABLE_READ;
            case Connection.TRANSACTION_SERIALIZABLE -> SERIALIZABLE;
            default -> READ_COMMITTED;
        };
    }

    /** The level that {@code SET TRANSACTION} or {@code BEGIN} names. */
    static Optional<Isolation> in(String sql) {
        List<String> words =
                SqlTokens.of(sql).stream().map(token -> token.text()).toList();
        int at = words.indexOf("level");
        if (at < 1 || !words.get(at - 1).equals("isolation") || at + 1 >= words.size()) {
            return Optional.empty();
        }
        return switch (words.get(at + 1)) {
            case "serializable" -> Optional.of(SERIALIZABLE);
            case "repeatable" -> Optional.of(REPEATABLE_READ);
            case "read" ->
                Optional.of(
                        at + 2 < words.size() && words.get(at + 2).equals("uncommitted")
                                ? READ_UNCOMMITTED
                                : READ_COMMITTED);
            default -> Optional.empty();
        };
    }

    /** As SQL writes it. */
    @Override
    public String toString() {
        return name().replace('_', ' ');
    }
}
