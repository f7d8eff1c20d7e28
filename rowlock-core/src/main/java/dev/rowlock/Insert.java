package dev.rowlock;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A new row. Made by {@link Tx#insert}; collects the values and sends them once. */
public final class Insert {
    private final Tx tx;
    private final TxScope scope;
    private final Table table;
    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
    private boolean sent;

    Insert(Tx tx, TxScope scope, Table table) {
        this.tx = tx;
        this.scope = scope;
        this.table = table;
    }

    /**
     * Gives a column its value; columns not named get their default.
     *
     * @throws IllegalArgumentException if the column was given before
     */
    public Insert set(String column, @Nullable Object value) {
        Identifiers.check("column of " + table, column);
        if (values.containsKey(column)) {
            throw new IllegalArgumentException("insert into " + table + ": column " + column + " is given twice");
        }
        values.put(column, value);
        return this;
    }

    /**
     * Sends the row.
     *
     * @return the row as stored, generated key and defaults included
     * @throws DatabaseException if the database refuses it; {@link DatabaseException#sqlState()} is 23505 for a duplicate
     * @throws IllegalStateException if it was sent before, or a trigger kept the row out
     */
    public Row apply() {
        tx.check();
        if (sent) {
            throw new IllegalStateException("insert into " + table + " was applied before; make a new one");
        }
        sent = true;
        String columns = values.keySet().stream().map(Identifiers::quote).collect(Collectors.joining(", "));
        String marks = values.keySet().stream().map(column -> "?").collect(Collectors.joining(", "));
        String sql = "INSERT INTO " + table.sqlName()
                + (values.isEmpty() ? " DEFAULT VALUES" : " (" + columns + ") VALUES (" + marks + ")")
                + " RETURNING *" + RowReader.SELECT_XID;
        List<Row> rows =
                scope.write(new SqlRequest(() -> "insert into " + table, table, sql, new ArrayList<>(values.values())));
        if (rows.size() != 1) {
            throw tx.doom(new IllegalStateException(
                    "insert into " + table + " stored " + rows.size() + " rows; is there a trigger or rule?"));
        }
        return rows.get(0);
    }
}
