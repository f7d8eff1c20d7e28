package dev.rowlock;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One statement to send.
 *
 * @param subject says what it does and to which row, as the beginning of a sentence; asked only where it is needed
 * @param table whose rows it returns
 * @param sql with {@code ?} for each parameter
 * @param noWait whether it asks not to wait for locks
 */
record SqlRequest(
        Supplier<String> subject, Table table, String sql, List<@Nullable Object> parameters, boolean noWait) {

    SqlRequest(Supplier<String> subject, Table table, String sql, List<@Nullable Object> parameters) {
        this(subject, table, sql, parameters, false);
    }

    /** The table of rows that are of none. */
    static final Table OWN = Table.of("(query)", "(none)");

    private static final int SHOWN = 60;

    /** A statement of the program's own. */
    static SqlRequest own(Table table, String sql, @Nullable Object[] values) {
        Placeholders.check(() -> "statement", sql, values.length);
        return new SqlRequest(() -> shown(sql), table, sql, Arrays.asList(values));
    }

    private static String shown(String sql) {
        String line = sql.strip().replaceAll("\\s+", " ");
        return "\"" + (line.length() > SHOWN ? line.substring(0, SHOWN) + "…" : line) + "\"";
    }

    String what() {
        return subject.get();
    }

    /** In one text, which is one round trip; the last one's rows count. */
    static SqlRequest together(List<SqlRequest> requests) {
        SqlRequest last = requests.get(requests.size() - 1);
        List<@Nullable Object> parameters = new ArrayList<>();
        requests.forEach(request -> parameters.addAll(request.parameters()));
        String sql = requests.stream().map(SqlRequest::sql).collect(Collectors.joining(";\n"));
        return new SqlRequest(requests.get(0).subject(), last.table(), sql, parameters);
    }

    SqlRequest withSql(String changed) {
        return new SqlRequest(subject, table, changed, parameters, noWait);
    }

    /** A parameter that is an SQL array. */
    record ArrayOf(String type, List<Object> values) {}
}
