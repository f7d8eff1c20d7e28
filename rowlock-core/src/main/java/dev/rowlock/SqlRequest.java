package dev.rowlock;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One statement to send.
 *
 * @param what what it does and to which row, as the beginning of a sentence
 * @param table whose rows it returns
 * @param sql with {@code ?} for each parameter
 * @param noWait whether it asks not to wait for locks
 */
record SqlRequest(String what, Table table, String sql, List<@Nullable Object> parameters, boolean noWait) {

    SqlRequest(String what, Table table, String sql, List<@Nullable Object> parameters) {
        this(what, table, sql, parameters, false);
    }

    /** A parameter that is an SQL array. */
    record ArrayOf(String type, List<Object> values) {}
}
