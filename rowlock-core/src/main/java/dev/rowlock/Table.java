package dev.rowlock;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Names a table, the columns of its key and, where it has one, its version column. A value: make one per table and keep it in
 * a constant.
 *
 * <pre>{@code
 * static final Table WALLETS = Table.of("wallet", "id");
 * static final Table PRODUCTS = Table.of("product", "id").withVersion("version");
 * static final Table LINES = Table.of("order_line", "order_id", "line_no").inSchema("shop");
 * }</pre>
 *
 * Names are quoted exactly as given, so they are case-sensitive: PostgreSQL folds unquoted names to lower case, write them so.
 *
 * @param schema the schema, or null for the connection's search path
 * @param name the table's name alone, without a schema
 * @param key the columns that identify one row; there must be a primary key or unique index on exactly these
 * @param version the integer column that every update raises by one, or null if rows have no version
 */
public record Table(
        @Nullable String schema,
        String name,
        List<String> key,
        @Nullable String version) {

    /**
     * Checks the names.
     *
     * @throws IllegalArgumentException if a name is blank, contains NUL, is longer than 63 bytes, or a column is named twice
     */
    public Table {
        if (schema != null) {
            Identifiers.check("schema", schema);
        }
        Identifiers.check("table name", name);
        key = List.copyOf(key);
        if (key.isEmpty()) {
            throw new IllegalArgumentException("table " + name + " has no key column; name at least one");
        }
        key.forEach(column -> Identifiers.check("key column of table " + name, column));
        if (new HashSet<>(key).size() < key.size()) {
            throw new IllegalArgumentException("table " + name + " names a key column twice: " + key);
        }
        if (version != null) {
            Identifiers.check("version column of table " + name, version);
            if (key.contains(version)) {
                throw new IllegalArgumentException(
                        "table " + name + ": column " + version + " cannot be both key and version");
            }
        }
    }

    /** A table without a version column, found on the connection's search path. */
    public static Table of(String name, String... keyColumns) {
        return new Table(null, name, Arrays.asList(keyColumns), null);
    }

    /** The same table in the given schema. */
    public Table inSchema(String schema) {
        return new Table(schema, name, key, version);
    }

    /**
     * The same table with a version column: {@code bigint NOT NULL} or {@code integer NOT NULL}, raised by the database in
     * every {@link Tx#update update}.
     */
    public Table withVersion(String column) {
        return new Table(schema, name, key, column);
    }

    String sqlName() {
        return schema == null ? Identifiers.quote(name) : Identifiers.quote(schema) + "." + Identifiers.quote(name);
    }

    /** {@code "a" = ? AND "b" = ?} */
    String sqlKeyEquals() {
        StringJoiner equals = new StringJoiner(" AND ");
        key.forEach(column -> equals.add(Identifiers.quote(column) + " = ?"));
        return equals.toString();
    }

    /** {@code "a", "b"}, each behind the prefix. */
    String sqlKeyColumns(String prefix) {
        return key.stream().map(column -> prefix + Identifiers.quote(column)).collect(Collectors.joining(", "));
    }

    /** Turns what the caller gave as a key into a {@link Key} of as many values as this table has key columns. */
    Key keyOf(Object given) {
        Key found = Key.from(given);
        if (found.values().size() != key.size()) {
            throw new IllegalArgumentException("key " + found + " of table " + name + " has "
                    + found.values().size() + " value(s), but its key has " + key.size() + " column(s): " + key);
        }
        return found;
    }

    /** The table's name, with its schema if it has one. */
    @Override
    public String toString() {
        return schema == null ? name : schema + "." + name;
    }
}
