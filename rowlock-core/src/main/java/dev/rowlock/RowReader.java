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

    /**
     * What is asked of the result once and not for each row. The type's name only of times: for it the driver asks the server once for
     * each connection and table.
     */
    private record Column(String name, int type, String typeName) {
        static List<Column> of(ResultSetMetaData meta) throws SQLException {
            List<Column> columns = new ArrayList<>();
            for (int i = 1; i <= meta.getColumnCount(); i++) {
                int type = meta.getColumnType(i);
                columns.add(new Column(meta.getColumnLabel(i), type, isTime(type) ? meta.getColumnTypeName(i) : ""));
            }
            return columns;
        }

        private static boolean isTime(int type) {
            return switch (type) {
                case Types.TIME, Types.TIME_WITH_TIMEZONE, Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE -> true;
                default -> false;
            };
        }

        boolean isXid() {
            return name.equals(XID);
        }
    }

    static Result read(Table table, ResultSet results) throws SQLException {
        ResultSetMetaData meta = results.getMetaData();
        List<Column> columns = List.of();
        List<Row> rows = new ArrayList<>();
        String xid = null;
        while (results.next()) {
            if (columns.isEmpty()) {
                columns = Column.of(meta);
            }
            LinkedHashMap<String, @Nullable Object> values = new LinkedHashMap<>();
            int i = 0;
            for (Column column : columns) {
                i++;
                if (column.isXid()) {
                    xid = results.getString(i);
                } else {
                    values.put(column.name(), value(results, column, i));
                }
            }
            rows.add(new Row(table, values));
        }
        return new Result(
                rows, xid, meta.getColumnCount() == 1 && meta.getColumnLabel(1).equals(XID));
    }

    private static @Nullable Object value(ResultSet results, Column column, int i) throws SQLException {
        return switch (column.type()) {
            case Types.DATE -> results.getObject(i, LocalDate.class);
            case Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE ->
                column.typeName().equals("timestamptz")
                        ? results.getObject(i, OffsetDateTime.class)
                        : results.getObject(i, LocalDateTime.class);
            case Types.TIME, Types.TIME_WITH_TIMEZONE ->
                column.typeName().equals("timetz")
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
