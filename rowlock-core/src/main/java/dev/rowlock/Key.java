package dev.rowlock;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The key of one row. Only needed for composite keys: everywhere a key is asked for, a single value can be given as it is.
 *
 * <pre>{@code
 * tx.lock(WALLETS, 7);
 * tx.lock(LINES, Key.of(orderId, 2));
 * }</pre>
 *
 * Allowed values are {@link Long}, {@link Integer}, {@link Short}, {@link Byte} (all held as {@code Long}, so that {@code 1}
 * and {@code 1L} are one key), {@link UUID} and {@link String}.
 *
 * @param values one value for each key column, in the order of {@link Table#key()}
 */
public record Key(List<Object> values) {

    /**
     * Checks and normalises the values.
     *
     * @throws IllegalArgumentException if there is none, or one is null or of another type
     */
    public Key {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("a key needs at least one value");
        }
        List<Object> normal = new ArrayList<>(values.size());
        for (Object value : values) {
            normal.add(normalise(value));
        }
        values = List.copyOf(normal);
    }

    /** A key of the given values, in the order of the table's key columns. */
    public static Key of(@Nullable Object... values) {
        List<Object> checked = new ArrayList<>(values.length);
        for (Object value : values) {
            checked.add(normalise(value));
        }
        return new Key(checked);
    }

    static Key from(@Nullable Object given) {
        return given instanceof Key key ? key : Key.of(given);
    }

    private static Object normalise(@Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException("a key value is null; no row has a NULL key");
        }
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (value instanceof Long || value instanceof UUID || value instanceof String) {
            return value;
        }
        throw new IllegalArgumentException("a key value is a "
                + value.getClass().getName() + " (" + value + "); allowed are long, int, UUID and String");
    }

    /** The value alone, or {@code (a, b)} for a composite key. */
    @Override
    public String toString() {
        return values.size() == 1
                ? values.get(0).toString()
                : values.stream().map(Object::toString).collect(Collectors.joining(", ", "(", ")"));
    }
}
