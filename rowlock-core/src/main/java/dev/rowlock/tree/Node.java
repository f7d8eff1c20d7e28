package dev.rowlock.tree;

import dev.rowlock.Key;
import dev.rowlock.Row;
import org.jspecify.annotations.Nullable;

/** As much of a node as the rules ask for. */
record Node(Key key, @Nullable Key parent, @Nullable String type, int step) {
    /** From a row of a statement of {@link PlaceQuery}. */
    static Node of(Row row) {
        return new Node(keyOf(row, "k"), nullableKeyOf(row, "p"), row.get("t", String.class), row.getInt("n"));
    }

    static Key keyOf(Row row, String column) {
        return Key.of(row.get(column, Object.class));
    }

    static @Nullable Key nullableKeyOf(Row row, String column) {
        return row.isNull(column) ? null : keyOf(row, column);
    }
}
