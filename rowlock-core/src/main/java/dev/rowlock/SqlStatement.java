package dev.rowlock;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One statement of the program's own, for {@link Tx#queryInOrder}. Immutable.
 *
 * @param sql without a semicolon at its end; otherwise as in {@link Tx#query}
 * @param values one for each {@code ?}
 */
public record SqlStatement(String sql, List<@Nullable Object> values) {
    /** Copies the list. */
    public SqlStatement {
        values = Collections.unmodifiableList(new ArrayList<>(values));
    }

    /** With these values. */
    public static SqlStatement of(String sql, @Nullable Object... values) {
        List<@Nullable Object> list = new ArrayList<>();
        Collections.addAll(list, values);
        return new SqlStatement(sql, list);
    }
}
