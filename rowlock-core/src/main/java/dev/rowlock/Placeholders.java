package dev.rowlock;

import java.util.function.Supplier;

/** Counts the parameters of a piece of SQL, so that a wrong number is told in the caller's terms. */
final class Placeholders {
    private Placeholders() {}

    static void check(Supplier<String> what, String sql, int given) {
        if (sql.isBlank()) {
            throw new IllegalArgumentException(what.get() + ": the SQL is blank");
        }
        int wanted = count(sql);
        if (wanted != given) {
            throw new IllegalArgumentException(what.get() + ": \"" + sql + "\" has " + wanted + " parameter(s), but "
                    + given + " value(s) were given");
        }
    }

    /** Counts {@code ?} outside of quotes; {@code ??} is pgjdbc's way to write the operator {@code ?}. */
    private static int count(String sql) {
        int count = 0;
        char quote = 0;
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '?' && i + 1 < sql.length() && sql.charAt(i + 1) == '?') {
                i++;
            } else if (c == '?') {
                count++;
            }
        }
        return count;
    }
}
