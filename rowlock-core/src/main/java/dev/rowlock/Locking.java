package dev.rowlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Builds and sends the statements that lock rows. */
final class Locking {
    private final Tx tx;
    private final TxScope scope;

    Locking(Tx tx, TxScope scope) {
        this.tx = tx;
        this.scope = scope;
    }

    List<Row> one(Table table, Key key, Lock lock) {
        String sql = "SELECT *" + RowReader.SELECT_XID + " FROM " + table.sqlName() + " WHERE " + table.sqlKeyEquals()
                + " " + lock.sql("");
        return send(table, () -> "lock of " + table + " " + key, sql, new ArrayList<>(key.values()), lock);
    }

    Rows all(Table table, Iterable<?> keys, Lock lock) {
        if (lock.takesFirst()) {
            throw new IllegalArgumentException("lockAll locks all the given keys; first does not fit, use limit");
        }
        Set<Key> wanted = new LinkedHashSet<>();
        keys.forEach(key -> wanted.add(table.keyOf(key)));
        int most = lock.rows().orElse(scope.settings().maxRows());
        if (wanted.size() > most) {
            throw tx.doom(new TooManyRowsException("lock of " + wanted.size() + " rows of " + table
                    + " was asked for, the limit is " + most + " (raise it with Lock.limit)"));
        }
        if (wanted.isEmpty()) {
            return new Rows(table, List.of());
        }
        List<@Nullable Object> columns = new ArrayList<>();
        for (int i = 0; i < table.key().size(); i++) {
            columns.add(keyColumn(table, wanted, i));
        }
        Supplier<String> what =
                () -> "lock of " + wanted.size() + " rows of " + table + " (" + abbreviated(wanted) + ")";
        return new Rows(table, send(table, what, allSql(table, columns, lock), columns, lock));
    }

    /** One column is an array to be contained in; several are a table to be joined with. Both lock as they sort. */
    private static String allSql(Table table, List<@Nullable Object> columns, Lock lock) {
        if (columns.size() == 1) {
            return "SELECT *" + RowReader.SELECT_XID + " FROM " + table.sqlName() + " WHERE " + table.sqlKeyColumns("")
                    + " = ANY (?) ORDER BY " + table.sqlKeyColumns("") + " " + lock.sql("");
        }
        StringJoiner names = new StringJoiner(", ");
        StringJoiner match = new StringJoiner(" AND ");
        StringJoiner marks = new StringJoiner(", ");
        for (int i = 0; i < columns.size(); i++) {
            names.add("k" + i);
            marks.add("?");
            match.add("t." + Identifiers.quote(table.key().get(i)) + " = wanted.k" + i);
        }
        return "SELECT t.*" + RowReader.SELECT_XID + " FROM " + table.sqlName() + " AS t JOIN unnest(" + marks
                + ") AS wanted (" + names + ") ON " + match + " ORDER BY " + table.sqlKeyColumns("t.") + " "
                + lock.sql("t");
    }

    Rows where(Table table, String condition, List<? extends @Nullable Object> values, Lock lock) {
        Placeholders.check(() -> "lockWhere on " + table, condition, values.size());
        int most = lock.rows().orElse(scope.settings().maxRows());
        int fetch = lock.takesFirst() ? most : most + 1;
        String sql = "SELECT *" + RowReader.SELECT_XID + " FROM " + table.sqlName() + " WHERE (" + condition
                + ") ORDER BY " + table.sqlKeyColumns("") + " LIMIT " + fetch + " " + lock.sql("");
        List<Row> rows = send(
                table,
                () -> "lock of rows of " + table + " where " + condition,
                sql,
                new ArrayList<@Nullable Object>(values),
                lock);
        if (rows.size() > most) {
            throw tx.doom(new TooManyRowsException("more than " + most + " rows of " + table + " match \"" + condition
                    + "\"; narrow the condition, work in portions (Lock.first) or raise the limit (Lock.limit)"));
        }
        return new Rows(table, rows);
    }

    Optional<Row> peek(Table table, Key key) {
        String sql = "SELECT * FROM " + table.sqlName() + " WHERE " + table.sqlKeyEquals();
        return scope
                .query(new SqlRequest(() -> "read of " + table + " " + key, table, sql, new ArrayList<>(key.values())))
                .stream()
                .findFirst();
    }

    private List<Row> send(
            Table table, Supplier<String> what, String sql, List<@Nullable Object> parameters, Lock lock) {
        return scope.lock(
                new SqlRequest(what, table, framed(sql, lock, scope.settings()), parameters, lock.isNoWait()),
                lock.strength());
    }

    /** Another wait limit is in force before the rows are looked at, and gone after; all in one round trip. */
    static String framed(String sql, Lock lock, Settings settings) {
        Duration wait = lock.waitLimit();
        if (wait == null) {
            return sql;
        }
        Limits limits = settings.limits();
        if (wait.compareTo(limits.statement()) > 0) {
            throw new IllegalArgumentException(
                    "waitAtMost (" + wait.toMillis() + " ms) is longer than statementTimeout ("
                            + limits.statement().toMillis() + " ms), which would end the wait first");
        }
        return "SET LOCAL lock_timeout = " + wait.toMillis() + "; " + sql + "; SET LOCAL lock_timeout = "
                + limits.lock().toMillis();
    }

    private static SqlRequest.ArrayOf keyColumn(Table table, Set<Key> keys, int index) {
        List<Object> values = keys.stream().map(key -> key.values().get(index)).toList();
        Class<?> type = values.get(0).getClass();
        for (Object value : values) {
            if (value.getClass() != type) {
                throw new IllegalArgumentException("keys of " + table + " mix " + type.getSimpleName() + " and "
                        + value.getClass().getSimpleName() + " in column "
                        + table.key().get(index) + ": " + values.get(0) + ", " + value);
            }
        }
        return new SqlRequest.ArrayOf(type == Long.class ? "int8" : type == UUID.class ? "uuid" : "text", values);
    }

    private static String abbreviated(Set<Key> keys) {
        int shown = 5;
        StringJoiner joiner = new StringJoiner(", ");
        keys.stream().limit(shown).forEach(key -> joiner.add(key.toString()));
        return keys.size() > shown ? joiner + ", …" : joiner.toString();
    }
}
