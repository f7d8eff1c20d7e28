package dev.rowlock.counter;

import dev.rowlock.Key;
import dev.rowlock.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Names and keys as statements want them. */
final class Sql {
    private Sql() {}

    static String quote(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    static String name(Table table) {
        return table.schema() == null ? quote(table.name()) : quote(table.schema()) + "." + quote(table.name());
    }

    /** One array for each key column. */
    static List<Object[]> keyArrays(Table table, Collection<Key> keys) {
        List<Object[]> arrays = new ArrayList<>();
        for (int column = 0; column < table.key().size(); column++) {
            int index = column;
            List<Object> values =
                    keys.stream().map(key -> key.values().get(index)).toList();
            arrays.add(array(table, table.key().get(column), values));
        }
        return arrays;
    }

    private static Object[] array(Table table, String column, List<Object> values) {
        Class<?> type = values.get(0).getClass();
        for (Object value : values) {
            if (value.getClass() != type) {
                throw new IllegalArgumentException("keys of " + table + " mix " + type.getSimpleName() + " and "
                        + value.getClass().getSimpleName() + " in column " + column + ": " + values.get(0) + ", "
                        + value);
            }
        }
        if (type == Long.class) {
            return values.toArray(Long[]::new);
        }
        return type == UUID.class ? values.toArray(UUID[]::new) : values.toArray(String[]::new);
    }
}
