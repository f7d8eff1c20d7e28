package dev.rowlock.prover.engine;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;

/** The prover's own connection: resets the data, reads them at the end, and sees who waits for whom. */
public final class Control implements AutoCloseable {
    /** Both kinds of waits: for locks, and of a DEFERRABLE transaction for a safe snapshot. */
    private static final String BLOCKERS = """
            SELECT p, pg_blocking_pids(p) || pg_safe_snapshot_blocking_pids(p)
            FROM unnest(?::int4[]) AS p""";

    private static final String COLUMNS = """
            SELECT c.relname, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum)
            FROM pg_class c
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            WHERE c.relnamespace = to_regnamespace(?)
              AND c.relkind IN ('r', 'p')
              AND NOT c.relispartition
              AND c.relname || '.' || a.attname <> ALL (?::text[])
            GROUP BY c.relname
            ORDER BY c.relname""";

    private final Connection connection;
    private final String schema;
    private final PreparedStatement blockers;

    /**
     * @param connection not used by anybody else, in auto-commit mode
     * @param schema made anew for each schedule; whatever is in it is dropped
     */
    public Control(Connection connection, String schema) throws SQLException {
        this.connection = connection;
        this.schema = schema;
        execute("SET client_min_messages = warning");
        this.blockers = connection.prepareStatement(BLOCKERS);
    }

    /** Drops everything and builds it anew. */
    void reset(Iterable<String> setups) {
        execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
        execute("CREATE SCHEMA " + schema);
        execute("SET search_path = " + schema);
        setups.forEach(this::execute);
    }

    void execute(String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new RaceException("setup failed: " + e.getMessage(), e);
        }
    }

    /** For each of these backends the backends it waits for; none if it does not wait. */
    Map<Integer, Set<Integer>> blockers(Collection<Integer> backends) {
        try {
            Array pids = connection.createArrayOf("int4", backends.toArray());
            blockers.setArray(1, pids);
            Map<Integer, Set<Integer>> found = new HashMap<>();
            try (ResultSet result = blockers.executeQuery()) {
                while (result.next()) {
                    Set<Integer> of = new HashSet<>();
                    for (Integer pid : (Integer[]) result.getArray(2).getArray()) {
                        of.add(pid);
                    }
                    found.put(result.getInt(1), of);
                }
            }
            return found;
        } catch (SQLException e) {
            throw new RaceException("the server cannot be asked who waits for whom: " + e.getMessage(), e);
        }
    }

    /**
     * The content of every table of the schema, as sorted rows of text.
     *
     * @param ignored columns to leave out, as {@code table.column}
     */
    SortedMap<String, String> data(Set<String> ignored) {
        try {
            SortedMap<String, String> columns = columns(ignored);
            SortedMap<String, String> data = new TreeMap<>();
            if (columns.isEmpty()) {
                return data;
            }
            StringJoiner all = new StringJoiner(" UNION ALL ");
            columns.forEach((table, list) -> all.add("SELECT " + literal(table)
                    + ", (SELECT string_agg(r::text, E'\\n' ORDER BY r::text) FROM (SELECT " + list + " FROM " + schema
                    + "."
                    + quoted(table) + ") AS r)"));
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery(all.toString())) {
                while (result.next()) {
                    String rows = result.getString(2);
                    data.put(result.getString(1), rows == null ? "" : rows);
                }
            }
            return data;
        } catch (SQLException e) {
            throw new RaceException("the final data cannot be read: " + e.getMessage(), e);
        }
    }

    private SortedMap<String, String> columns(Set<String> ignored) throws SQLException {
        SortedMap<String, String> columns = new TreeMap<>();
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            statement.setString(1, schema);
            statement.setArray(2, connection.createArrayOf("text", ignored.toArray()));
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    columns.put(result.getString(1), result.getString(2));
                }
            }
        }
        return columns;
    }

    /** Whether the query's first column is true; anything else, also no row, is not. */
    boolean holds(String query) {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            return result.next() && result.getBoolean(1);
        } catch (SQLException e) {
            throw new RaceException("an invariant cannot be evaluated: " + e.getMessage(), e);
        }
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    @Override
    public void close() throws SQLException {
        execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
        connection.close();
    }
}
