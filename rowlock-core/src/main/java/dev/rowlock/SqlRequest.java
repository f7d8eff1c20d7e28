package dev.rowlock;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
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

    /** The table of rows that are of none. */
    static final Table OWN = Table.of("(query)", "(none)");

    private static final int SHOWN = 60;

    /** A statement of the program's own. */
    static SqlRequest own(Table table, String sql, @Nullable Object[] values) {
        String line = sql.strip().replaceAll("\\s+", " ");
        String what = "\"" + (line.length() > SHOWN ? line.substring(0, SHOWN) + "…" : line) + "\"";
        Placeholders.check("statement", sql, values.length);
        return new SqlRequest(what, table, sql, Arrays.asList(values));
    }

    /** In one text, which is one round trip; the last one's rows count. */
    static SqlRequest together(List<SqlRequest> requests) {
        SqlRequest last = requests.get(requests.size() - 1);
        List<@Nullable Object> parameters = new ArrayList<>();
        requests.forEach(request -> parameters.addAll(request.parameters()));
        String sql = requests.stream().map(SqlRequest::sql).collect(Collectors.joining(";\n"));
        return new SqlRequest(requests.get(0).what(), last.table(), sql, parameters);
    }

    SqlRequest withSql(String changed) {
        return new SqlRequest(what, table, changed, parameters, noWait);
    }

    /** A parameter that is an SQL array. */
    record ArrayOf(String type, List<Object> values) {}
}
