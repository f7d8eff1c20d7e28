package dev.rowlock.prover.engine;

import dev.rowlock.prover.scenario.Sql;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;

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

    private static final Pattern MORE_THAN_CONTENT =
            Pattern.compile("(VACUUM|ANALYZE|ANALYSE|CLUSTER|REINDEX)\\b", Pattern.CASE_INSENSITIVE);

    private final Connection connection;
    private final String schema;
    private final PreparedStatement blockers;
    /** Whether the schema is to be told from a changed one: not before something happens that may change it. */
    private boolean watchesSchema;
    /** Whether the schema and its data are somebody's: content is brought back to what is there now, nothing is dropped. */
    private final boolean adopted;

    private final int backend;
    private Optional<Overlap> overlap = Optional.empty();
    private Optional<SavedData> saved = Optional.empty();
    private Optional<SavedData> reads = Optional.empty();
    private Optional<String> reading = Optional.empty();
    private int readings;

    /**
     * @param connection not used by anybody else, in auto-commit mode
     * @param schema made anew for each schedule; whatever is in it is dropped
     */
    public Control(Connection connection, String schema) throws SQLException {
        this(connection, schema, false);
    }

    private Control(Connection connection, String schema, boolean adopted) throws SQLException {
        this.connection = connection;
        this.schema = schema;
        this.adopted = adopted;
        execute("SET client_min_messages = warning; SET synchronous_commit = off");
        this.blockers = connection.prepareStatement(BLOCKERS);
        this.backend = connection.unwrap(PGConnection.class).getBackendPID();
    }

    /** For a schema that stands, with the data that it holds when {@link #reset} is called for the first time. */
    static Control adopting(Connection connection, String schema) throws SQLException {
        Control control = new Control(connection, schema, true);
        control.execute("SET search_path = " + schema + "; SET lock_timeout = '10s'");
        return control;
    }

    /** From the next {@link #reset} on, writing statements can be held inside the server. */
    void overlapStatements() {
        overlap = Optional.of(new Overlap(connection, schema));
        saved = Optional.empty();
    }

    /** Of the control connection itself: who waits for it is held. */
    int backend() {
        return backend;
    }

    /** Whether statements can be held; if so, the next ones of these backends that write are. */
    boolean hold(Collection<Integer> backends) {
        return overlap(held -> held.hold(backends));
    }

    boolean holds() {
        return overlap.isPresent();
    }

    void letGo(Collection<Integer> backends) {
        overlap(held -> held.letGo(backends));
    }

    void letAllGo() {
        overlap(Overlap::letAllGo);
    }

    /** Something done to held statements. */
    @FunctionalInterface
    private interface Holding {
        void accept(Overlap overlap) throws SQLException;
    }

    private boolean overlap(Holding holding) {
        try {
            if (overlap.isPresent()) {
                holding.accept(overlap.get());
            }
            return overlap.isPresent();
        } catch (SQLException e) {
            throw new RaceException("statements cannot be held: " + e.getMessage(), e);
        }
    }

    /**
     * Brings the data to where they begin: by content alone where that is enough, else by building everything anew.
     *
     * @param changed tables that may have changed since the last time, as {@code schema.table}; empty if that is not known
     */
    void reset(List<String> setups, Optional<Set<String>> changed) {
        try {
            if (adopted) {
                bringBack(changed.isPresent());
                return;
            }
            if (saved.isPresent() && (changed.isPresent() || saved.get().isSameSchema())) {
                restore(saved.get(), changed);
                return;
            }
            watchesSchema |= saved.isPresent();
            boolean byContent = setups.stream().noneMatch(Control::leavesMoreThanContent);
            rebuild(setups);
            overlap(Overlap::install);
            saved = byContent ? SavedData.of(connection, schema, watchesSchema) : Optional.empty();
            if (saved.isPresent()) {
                // The first schedule too begins with restored data, so that all find their rows in the same places.
                saved.get().restore();
            }
        } catch (SQLException e) {
            throw new RaceException("the data cannot be brought back: " + e.getMessage(), e);
        }
    }

    /** All tables, because code may have written to some in ways that were not seen, which is told only at the end. */
    private void bringBack(boolean knowsAllChanges) throws SQLException {
        if (saved.isEmpty()) {
            saved = SavedData.of(connection, schema, true);
            if (saved.isEmpty()) {
                throw new RaceException(
                        "content alone cannot bring schema " + schema
                                + " back: it has a materialized view, a foreign table,"
                                + " a trigger or rule that always fires, or a foreign key from another schema, or the"
                                + " role may not set session_replication_role",
                        null);
            }
        } else if (!knowsAllChanges && !saved.get().isSameSchema()) {
            throw new RaceException("an actor has changed the schema " + schema + ", which is not brought back", null);
        }
        saved.get().restore();
    }

    private void restore(SavedData data, Optional<Set<String>> changed) throws SQLException {
        String prefix = schema + ".";
        boolean known = changed.isPresent()
                && changed.get().stream()
                        .allMatch(table -> table.startsWith(prefix) && data.has(table.substring(prefix.length())));
        if (known) {
            data.restore(changed.get().stream()
                    .map(table -> table.substring(prefix.length()))
                    .collect(Collectors.toSet()));
        } else {
            data.restore();
        }
    }

    /** VACUUM sets what no INSERT sets; statistics decide plans. */
    private static boolean leavesMoreThanContent(String setup) {
        return Sql.statements(setup).stream()
                .map(Sql.Piece::text)
                .anyMatch(text -> MORE_THAN_CONTENT.matcher(text).lookingAt());
    }

    private void rebuild(List<String> setups) {
        execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE; CREATE SCHEMA " + schema + "; SET search_path = "
                + schema);
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

    /** Cancels what these backends are doing. */
    void cancel(Collection<Integer> backends) {
        backends.forEach(backend -> execute("SELECT pg_cancel_backend(" + backend + ")"));
    }

    /**
     * The content of every table of the schema, as sorted rows of text.
     *
     * @param ignored columns to leave out, as {@code table.column}
     */
    SortedMap<String, String> data(Set<String> ignored) {
        try (Statement statement = connection.createStatement()) {
            if (saved.isEmpty() || !saved.equals(reads) || reading.isEmpty()) {
                reading = Optional.of(reading(ignored));
                reads = saved;
            }
            SortedMap<String, String> data = new TreeMap<>();
            try (ResultSet result = statement.executeQuery(reading.get())) {
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

    /** What reads all tables; planned once as long as the schema stays the same. */
    private String reading(Set<String> ignored) throws SQLException {
        StringJoiner tables = new StringJoiner(" UNION ALL ");
        tables.setEmptyValue("SELECT NULL, NULL WHERE false");
        columns(ignored)
                .forEach((table, list) -> tables.add("SELECT " + literal(table)
                        + ", (SELECT string_agg(r::text, E'\\n' ORDER BY r::text) FROM (SELECT " + list + " FROM "
                        + schema + "." + quoted(table) + ") AS r)"));
        if (saved.isEmpty()) {
            return tables.toString();
        }
        String name = "rowlock_reading_" + readings++;
        execute("PREPARE " + name + " AS " + tables);
        return "EXECUTE " + name;
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
        execute(adopted ? "DISCARD ALL" : "DROP SCHEMA IF EXISTS " + schema + " CASCADE");
        connection.close();
    }
}
