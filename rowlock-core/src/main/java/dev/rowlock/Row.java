package dev.rowlock;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One row as it was read; immutable, usable after the transaction and in any thread. Columns are found by their exact name.
 *
 * <p>Values are held as {@link Long}, {@link Integer}, {@link BigDecimal}, {@link Double}, {@link Boolean}, {@link String},
 * {@link UUID}, {@link LocalDate}, {@link java.time.LocalDateTime} and {@link OffsetDateTime}; types that JDBC does not know,
 * such as enums, json and arrays, as their text.
 */
public final class Row {
    private final Table table;
    private final Map<String, @Nullable Object> values;

    Row(Table table, Map<String, @Nullable Object> values) {
        this.table = table;
        this.values = Collections.unmodifiableMap(values);
    }

    /**
     * All rows that are left in a result of the program's own, by their column labels.
     *
     * @param table that they are rows of; its key columns, and its version column if it has one, must be among the labels
     */
    public static List<Row> readAll(Table table, ResultSet results) throws SQLException {
        return RowReader.read(table, results).rows();
    }

    /** The table the row comes from. */
    public Table table() {
        return table;
    }

    /** The row's key. */
    public Key key() {
        return new Key(table.key().stream().map(this::required).toList());
    }

    /**
     * The row's version.
     *
     * @throws IllegalStateException if the table was declared without a version column, or it is NULL
     */
    public long version() {
        String column = table.version();
        if (column == null) {
            throw new IllegalStateException("table " + table + " was declared without a version column");
        }
        return getLong(column);
    }

    /** Whether the column is NULL. */
    public boolean isNull(String column) {
        return raw(column) == null;
    }

    /**
     * A whole number.
     *
     * @throws IllegalArgumentException if there is no such column, or it is no number
     * @throws IllegalStateException if it is NULL
     * @throws ArithmeticException if it has a fraction or does not fit into a long
     */
    public long getLong(String column) {
        return exact(column).longValueExact();
    }

    /** A whole number; as {@link #getLong}, but must fit into an int. */
    public int getInt(String column) {
        return exact(column).intValueExact();
    }

    /** A number of any kind. Errors as for {@link #getLong}. */
    public BigDecimal getBigDecimal(String column) {
        return exact(column);
    }

    /** A text. Errors as for {@link #get}, and {@link IllegalStateException} if it is NULL. */
    public String getString(String column) {
        return required(column, String.class);
    }

    /** A truth value. Errors as for {@link #get}, and {@link IllegalStateException} if it is NULL. */
    public boolean getBoolean(String column) {
        return required(column, Boolean.class);
    }

    /** A UUID. Errors as for {@link #get}, and {@link IllegalStateException} if it is NULL. */
    public UUID getUuid(String column) {
        return required(column, UUID.class);
    }

    /** A {@code timestamptz}. Errors as for {@link #get}, and {@link IllegalStateException} if it is NULL. */
    public Instant getInstant(String column) {
        return required(column, OffsetDateTime.class).toInstant();
    }

    /**
     * The value as the given type, or null if it is NULL.
     *
     * @throws IllegalArgumentException if there is no such column, or its value is of another type
     */
    public <T> @Nullable T get(String column, Class<T> type) {
        Object value = raw(column);
        if (value == null) {
            return null;
        }
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException("column " + column + " of " + table + " is a "
                    + value.getClass().getSimpleName() + ", not a " + type.getSimpleName());
        }
        return type.cast(value);
    }

    /** All columns by name, in the order of the table. */
    public Map<String, @Nullable Object> values() {
        return values;
    }

    /** The same row without a column that was only asked for along the way. */
    Row without(String column) {
        LinkedHashMap<String, @Nullable Object> rest = new LinkedHashMap<>(values);
        rest.remove(column);
        return new Row(table, rest);
    }

    private @Nullable Object raw(String column) {
        if (!values.containsKey(column)) {
            throw new IllegalArgumentException(
                    "there is no column " + column + " in this row of " + table + "; it has " + values.keySet());
        }
        return values.get(column);
    }

    private Object required(String column) {
        Object value = raw(column);
        if (value == null) {
            throw new IllegalStateException(
                    "column " + column + " of this row of " + table + " is NULL; ask isNull first");
        }
        return value;
    }

    private <T> T required(String column, Class<T> type) {
        required(column);
        T value = get(column, type);
        if (value == null) {
            throw new AssertionError(column);
        }
        return value;
    }

    private BigDecimal exact(String column) {
        Object value = required(column);
        if (value instanceof BigDecimal decimal) {
            return decimal;
        }
        if (value instanceof Long || value instanceof Integer || value instanceof Short) {
            return BigDecimal.valueOf(((Number) value).longValue());
        }
        if (value instanceof Double || value instanceof Float) {
            return BigDecimal.valueOf(((Number) value).doubleValue());
        }
        throw new IllegalArgumentException("column " + column + " of " + table + " is a "
                + value.getClass().getSimpleName() + ", not a number");
    }

    /** Equal if table and all values are. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Row row && table.equals(row.table) && values.equals(row.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /** Columns and values, for messages. */
    @Override
    public String toString() {
        return values.toString();
    }
}
