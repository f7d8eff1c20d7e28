package dev.rowlock;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads result rows into {@link Row}s and takes out the transaction id that rides along. */
final class RowReader {
    /** Alias under which statements of Rowlock bring back the transaction id. */
    static final String XID = "rowlock.xid";

    static final String SELECT_XID = ", pg_current_xact_id()::text AS \"" + XID + "\"";

    private RowReader() {}

    /** Sent behind a statement of the program's own, whose columns are not ours to add to. */
    static final String THEN_XID = "\n; SELECT pg_current_xact_id_if_assigned()::text AS \"" + XID + "\"";

    /**
     * What one result holds.
     *
     * @param isXidAlone whether it is the answer to {@link #THEN_XID}
     */
    record Result(List<Row> rows, @Nullable String xid, boolean isXidAlone) {}

    static Result read(Table table, ResultSet results) throws SQLException {
        ResultSetMetaData meta = results.getMetaData();
        int columns = meta.getColumnCount();
        List<Row> rows = new ArrayList<>();
        String xid = null;
        while (results.next()) {
            LinkedHashMap<String, @Nullable Object> values = new LinkedHashMap<>();
            for (int i = 1; i <= columns; i++) {
                String name = meta.getColumnLabel(i);
                if (name.equals(XID)) {
                    xid = results.getString(i);
                } else {
                    values.put(name, value(results, meta, i));
                }
            }
            rows.add(new Row(table, values));
        }
        return new Result(rows, xid, columns == 1 && meta.getColumnLabel(1).equals(XID));
    }

    private static @Nullable Object value(ResultSet results, ResultSetMetaData meta, int i) throws SQLException {
        return switch (meta.getColumnType(i)) {
            case Types.DATE -> results.getObject(i, LocalDate.class);
            case Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE ->
                meta.getColumnTypeName(i).equals("timestamptz")
                        ? results.getObject(i, OffsetDateTime.class)
                        : results.getObject(i, LocalDateTime.class);
            case Types.TIME, Types.TIME_WITH_TIMEZONE ->
                meta.getColumnTypeName(i).equals("timetz")
                        ? results.getObject(i, OffsetTime.class)
                        : results.getObject(i, LocalTime.class);
            case Types.ARRAY, Types.BINARY, Types.SQLXML -> results.getString(i); // immutable, needs no connection
            default -> {
                Object value = results.getObject(i);
                boolean plain = value == null || value.getClass().getName().startsWith("java.");
                yield plain ? value : results.getString(i);
            }
        };
    }
}
