package dev.rowlock.tree;

import dev.rowlock.Key;
import java.util.List;
import java.util.UUID;

/** Keys as a value of a statement. */
final class Keys {
    private Keys() {}

    /** An array of what the keys are, which all are of one column. */
    static Object array(List<Key> keys) {
        List<Object> values = keys.stream().map(PlaceQuery::value).toList();
        Object any = values.isEmpty() ? "" : values.get(0);
        if (any instanceof Long) {
            return values.toArray(new Long[0]);
        }
        return any instanceof UUID ? values.toArray(new UUID[0]) : values.toArray(new String[0]);
    }
}
