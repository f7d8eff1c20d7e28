package dev.rowlock;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.postgresql.ds.PGSimpleDataSource;

/** Reading a result of eight columns into rows: {@link RowReader}, and the same by hand. */
@State(Scope.Thread)
public class RowMappingBenchmark {
    private static final Table ITEMS = Table.of("item", "id");

    /** From its fifth time on, the driver lets the server prepare a statement, and has its values in binary. */
    private static final int TIMES_UNTIL_PREPARED = 6;

    private static final String QUERY = """
            SELECT i AS id,
                   'item ' || i AS name,
                   i * 1.25 AS price,
                   i::integer AS stock,
                   i % 2 = 0 AS active,
                   md5(i::text)::uuid AS reference,
                   date '2026-01-01' + i::integer AS released,
                   timestamptz '2026-01-01 12:00:00Z' + i * interval '1 hour' AS changed_at
              FROM generate_series(1::bigint, ?) AS i
             ORDER BY i""";

    /** Of the server, which is this machine's. */
    @Param("0")
    public int port;

    /** In the result. */
    @Param({"1", "100"})
    public int rows;

    private @Nullable Connection connection;
    private @Nullable ResultSet results;

    /** Runs the query once for all, and requires that both ways read the same. */
    @Setup(Level.Trial)
    public void open() throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {port});
        source.setUser("postgres");
        source.setDatabaseName("postgres");
        Connection opened = source.getConnection();
        connection = opened;
        PreparedStatement query =
                opened.prepareStatement(QUERY, ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
        query.setLong(1, rows);
        for (int i = 1; i <= TIMES_UNTIL_PREPARED; i++) {
            results = query.executeQuery();
        }
        List<Map<String, @Nullable Object>> ours =
                rowlock().stream().map(Row::values).toList();
        List<Map<String, @Nullable Object>> theirs = byHand();
        if (!ours.equals(theirs) || ours.size() != rows) {
            throw new IllegalStateException(
                    "RowReader read " + ours + ", by hand it is " + theirs + " in " + rows + " rows");
        }
    }

    /** Ends the session. */
    @TearDown(Level.Trial)
    public void close() throws SQLException {
        if (connection != null) {
            connection.close();
        }
    }

    /** As Rowlock does it: columns and their types are whatever the result says. */
    @Benchmark
    public List<Row> rowlock() throws SQLException {
        return RowReader.read(ITEMS, fromTheStart()).rows();
    }

    /** As somebody who knows the columns and their types does it. */
    @Benchmark
    public List<Map<String, @Nullable Object>> byHand() throws SQLException {
        ResultSet from = fromTheStart();
        List<Map<String, @Nullable Object>> list = new ArrayList<>();
        while (from.next()) {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            values.put("id", from.getObject(1));
            values.put("name", from.getObject(2));
            values.put("price", from.getObject(3));
            values.put("stock", from.getObject(4));
            values.put("active", from.getObject(5));
            values.put("reference", from.getObject(6));
            values.put("released", from.getObject(7, LocalDate.class));
            values.put("changed_at", from.getObject(8, OffsetDateTime.class));
            list.add(values);
        }
        return list;
    }

    private ResultSet fromTheStart() throws SQLException {
        ResultSet open = results;
        if (open == null) {
            throw new IllegalStateException("open() comes first");
        }
        open.beforeFirst();
        return open;
    }
}
