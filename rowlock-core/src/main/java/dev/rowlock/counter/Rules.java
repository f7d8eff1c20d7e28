package dev.rowlock.counter;

import dev.rowlock.Key;
import dev.rowlock.Row;
import dev.rowlock.Table;
import dev.rowlock.Tx;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a counter changes, and when it may.
 *
 * @param columns the counter's own first
 * @param keyTypes the Java type of each key column's values; empty as long as the database was not asked
 * @param hasPlaces whether rows of the table have places that can be remembered; false as long as the database was not asked
 */
record Rules(
        Table table, List<Column> columns, List<Condition> conditions, List<Class<?>> keyTypes, boolean hasPlaces) {
    Rules(Table table, List<Column> columns, List<Condition> conditions) {
        this(table, columns, conditions, List.of(), false);
    }

    /** A condition in SQL that does not depend on what the counter changes. */
    record Condition(String sql, List<@Nullable Object> values) {}

    private static final String TYPES = """
            SELECT a.attname::text AS name, coalesce(nullif(t.typbasetype, 0), t.oid)::regtype::text AS type,
                CASE WHEN t.typbasetype = 0 THEN a.atttypmod ELSE t.typtypmod END AS modifier,
                c.relkind = 'r' AND has_table_privilege(c.oid, 'SELECT') AS places
            FROM pg_attribute AS a
            JOIN pg_class AS c ON c.oid = a.attrelid
            JOIN pg_type AS t ON t.oid = a.atttypid
            WHERE a.attrelid = to_regclass(?)
              AND a.attnum > 0
              AND NOT a.attisdropped
            """;

    private static final Map<String, Long> LARGEST = Map.of(
            "smallint", (long) Short.MAX_VALUE,
            "integer", (long) Integer.MAX_VALUE,
            "bigint", Long.MAX_VALUE);

    Column first() {
        return columns.get(0);
    }

    List<String> names() {
        return columns.stream().map(Column::name).toList();
    }

    /** Everything that a decision needs to know of a row, its key first. */
    List<String> readColumns() {
        Set<String> all = new LinkedHashSet<>(table.key());
        columns.forEach(column -> {
            all.add(column.name());
            all.addAll(column.boundColumns());
        });
        return List.copyOf(all);
    }

    /** Asks the database for the columns' types, so that what does not fit is refused before it is an error. */
    Rules checked(Tx tx) {
        List<Row> types = tx.query(TYPES, Sql.name(table));
        if (types.isEmpty()) {
            throw new IllegalStateException("the counter's table " + table + " does not exist");
        }
        List<Column> within = columns.stream()
                .map(column -> within(column, type(types, column.name())))
                .toList();
        columns.stream()
                .flatMap(column -> column.boundColumns().stream())
                .forEach(name -> largest(name, type(types, name)));
        List<Class<?>> keys = new ArrayList<>();
        for (String name : table.key()) {
            String type = type(types, name).getString("type");
            keys.add(LARGEST.containsKey(type) ? Long.class : type.equals("uuid") ? UUID.class : String.class);
        }
        return new Rules(
                table, within, conditions, List.copyOf(keys), types.get(0).getBoolean("places"));
    }

    private Row type(List<Row> types, String column) {
        return types.stream()
                .filter(row -> row.getString("name").equals(column))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "table " + table + " has no column " + column + ", which its counter needs"));
    }

    private Column within(Column column, Row found) {
        long largest = largest(column.name(), found);
        boolean binary = LARGEST.containsKey(found.getString("type"));
        return column.within(binary ? -largest - 1 : -largest, largest);
    }

    private long largest(String column, Row found) {
        String type = found.getString("type");
        Long largest = LARGEST.get(type);
        if (largest != null) {
            return largest;
        }
        int modifier = found.getInt("modifier") - 4;
        if (!type.equals("numeric") || modifier < 0 || (modifier & 0xffff) != 0) {
            throw new IllegalStateException("column " + column + " of " + table + " is a " + type
                    + "; a counter needs smallint, integer, bigint or numeric(n, 0), so that every amount is a whole"
                    + " number (count in the smallest unit)");
        }
        BigInteger most = BigInteger.TEN.pow(modifier >> 16).subtract(BigInteger.ONE);
        return most.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
    }

    /**
     * Checks that a key fits before it meets those of other callers.
     *
     * @throws IllegalArgumentException if it does not
     */
    Key checkKey(Key key) {
        if (key.values().size() != table.key().size()) {
            throw new IllegalArgumentException("key " + key + " of table " + table + " has "
                    + key.values().size() + " value(s), but its key has "
                    + table.key().size() + " column(s): "
                    + table.key());
        }
        for (int i = 0; i < keyTypes.size(); i++) {
            Class<?> type = key.values().get(i).getClass();
            if (type != keyTypes.get(i)) {
                throw new IllegalArgumentException("key " + key + " of table " + table + " has a "
                        + type.getSimpleName() + " for column " + table.key().get(i) + ", which needs a "
                        + keyTypes.get(i).getSimpleName());
            }
        }
        return key;
    }

    /**
     * Checks an amount.
     *
     * @throws IllegalArgumentException if it is zero or cannot be a change of all columns
     */
    long checkDelta(Key key, long delta) {
        if (delta == 0) {
            throw new IllegalArgumentException("a change of row " + key + " of " + table + " by 0 changes nothing");
        }
        for (Column column : columns) {
            if (delta == Long.MIN_VALUE || Math.abs(delta) > Long.MAX_VALUE / Math.abs(column.factor())) {
                throw new IllegalArgumentException("a change of row " + key + " of " + table + " by " + delta
                        + " is too large for column " + column.name());
            }
        }
        return delta;
    }

    /** The text of all conditions, or null if there is none. */
    @Nullable
    String conditionSql() {
        return conditions.isEmpty()
                ? null
                : String.join(
                        " AND ",
                        conditions.stream().map(one -> "(" + one.sql() + ")").toList());
    }

    Stream<@Nullable Object> conditionValues() {
        return conditions.stream().flatMap(one -> one.values().stream());
    }
}
