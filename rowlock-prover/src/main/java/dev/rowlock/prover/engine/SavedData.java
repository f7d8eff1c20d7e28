package dev.rowlock.prover.engine;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The content of all tables and sequences of a schema, kept in temporary tables of the control connection, so that it can be put
 * back in one message. Triggers, rules and foreign keys do not see the restoring ({@code session_replication_role = replica}).
 */
final class SavedData {
    private static final String IN_SCHEMA = "namespace = '%s'::regnamespace";

    /** Whatever content alone does not bring back, or cannot be brought back without side effects. */
    private static final String REFUSED = """
            SELECT 'the kind of ' || relname FROM pg_class WHERE rel%1$s AND relkind IN ('m', 'f')
            UNION ALL
            SELECT 'a trigger that always fires on ' || c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
            WHERE c.rel%1$s AND t.tgenabled IN ('A', 'R')
            UNION ALL
            SELECT 'a rule that always works on ' || c.relname FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
            WHERE c.rel%1$s AND r.ev_enabled IN ('A', 'R') AND c.relkind = 'r'
            UNION ALL
            SELECT 'a foreign key to ' || c.relname || ' from another schema'
            FROM pg_constraint k JOIN pg_class c ON c.oid = k.confrelid JOIN pg_class o ON o.oid = k.conrelid
            WHERE k.contype = 'f' AND c.rel%1$s AND c.relnamespace <> o.relnamespace
            LIMIT 1""";

    /** Tables with their columns, what is made of several tables, foreign keys and sequences: all that is to be known, at once. */
    private static final String FACTS = """
            SELECT * FROM (
              SELECT 'table' AS fact, c.relname, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS detail
              FROM pg_class c
              LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
              WHERE c.rel%1$s AND c.relkind = 'r' AND c.relpersistence <> 't'
              GROUP BY c.relname
              UNION ALL SELECT CASE relkind WHEN 'p' THEN 'partitioned' ELSE 'sequence' END, relname, ''
              FROM pg_class WHERE rel%1$s AND relkind IN ('p', 'S') AND relpersistence <> 't'
              UNION ALL SELECT 'heir', c.relname, ''
              FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE c.rel%1$s
              UNION ALL SELECT 'key', p.relname, c.relname
              FROM pg_constraint k JOIN pg_class p ON p.oid = k.confrelid JOIN pg_class c ON c.oid = k.conrelid
              WHERE k.contype = 'f' AND p.rel%1$s
            ) AS facts
            ORDER BY fact, relname, detail""";

    /** The size of all rows, and of the largest one: each with its line pointer and where the next one can begin. */
    private static final String SIZE = """
            SELECT %1$s, coalesce(sum(size), 0), coalesce(max(size), 0)
            FROM (SELECT (pg_column_size(t.*) + 7) / 8 * 8 + 4 AS size FROM %2$s AS t) AS sizes""";

    private static final String NO_TRIGGERS = "SET LOCAL session_replication_role = replica";
    private static final String INSUFFICIENT_PRIVILEGE = "42501";
    private static final AtomicLong PREPARED = new AtomicLong();

    private final Connection connection;
    private final String schema;
    private final Map<String, SavedTable> tables = new LinkedHashMap<>();
    private final Map<String, Set<String>> children = new HashMap<>();
    private final List<String> partitioned = new ArrayList<>();
    private boolean inherits;
    private final StringBuilder sequences = new StringBuilder();
    private final Optional<String> fingerprint;

    private SavedData(Connection connection, String schema, boolean withSchema) throws SQLException {
        this.connection = connection;
        this.schema = schema;
        Map<String, String> columns = new LinkedHashMap<>();
        for (String[] fact : list(inSchema(FACTS))) {
            String name = String.valueOf(fact[1]);
            switch (String.valueOf(fact[0])) {
                case "table" -> columns.put(name, fact[2]);
                case "partitioned" -> partitioned.add(name);
                case "heir" -> inherits = true;
                case "sequence" -> saveSequence(qualified(name));
                default ->
                    children.computeIfAbsent(name, any -> new HashSet<>()).add(String.valueOf(fact[2]));
            }
        }
        if (!columns.isEmpty()) {
            save(columns);
        }
        this.fingerprint = withSchema ? Optional.of(fingerprint()) : Optional.empty();
    }

    /** Copies them, and plans once what brings them back. */
    private void save(Map<String, @Nullable String> columns) throws SQLException {
        StringJoiner copying = new StringJoiner("; ");
        StringJoiner sizes = new StringJoiner(" UNION ALL ");
        List<String> names = List.copyOf(columns.keySet());
        for (int i = 0; i < names.size(); i++) {
            String copy = "rowlock_saved_" + i;
            copying.add("DROP TABLE IF EXISTS pg_temp." + copy);
            copying.add("CREATE TEMPORARY TABLE " + copy + " AS SELECT * FROM ONLY " + qualified(names.get(i)));
            sizes.add(SIZE.formatted(i, "pg_temp." + copy));
        }
        // As when it is executed: a rule may not go with RETURNING.
        StringJoiner preparing = new StringJoiner("; ").add(NO_TRIGGERS);
        for (String[] size : list(copying + "; " + sizes)) {
            int number = Integer.parseInt(size[0]);
            String name = names.get(number);
            String list = columns.get(name);
            if (list != null) {
                SavedTable table = new SavedTable(
                        qualified(name), PREPARED.incrementAndGet(), Long.parseLong(size[1]), Long.parseLong(size[2]));
                preparing.add(table.preparing(list, "pg_temp.rowlock_saved_" + number));
                tables.put(name, table);
            }
        }
        if (!tables.isEmpty()) {
            run(preparing.toString());
        }
    }

    /**
     * Saves what is there now.
     *
     * @param withSchema whether to remember the schema too, for {@link #isSameSchema}
     * @return empty if content alone could not bring it back
     */
    static Optional<SavedData> of(Connection connection, String schema, boolean withSchema) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            try (ResultSet refused = statement.executeQuery(REFUSED.formatted(IN_SCHEMA.formatted(schema)))) {
                if (refused.next()) {
                    return Optional.empty();
                }
            }
            return maySwitchTriggersOff(statement)
                    ? Optional.of(new SavedData(connection, schema, withSchema))
                    : Optional.empty();
        }
    }

    /** Superusers may, and who was granted it. */
    private static boolean maySwitchTriggersOff(Statement statement) throws SQLException {
        try {
            statement.execute("SET session_replication_role = replica; SET session_replication_role = origin");
            return true;
        } catch (SQLException e) {
            if (INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    private String inSchema(String sql) {
        return sql.formatted(IN_SCHEMA.formatted(schema));
    }

    private void saveSequence(String qualified) throws SQLException {
        for (String[] state : list("SELECT last_value, is_called FROM " + qualified)) {
            sequences.append("; SELECT setval('" + qualified.replace("'", "''") + "', " + state[0] + ", "
                    + state[1].equals("t") + ")");
        }
    }

    /** Puts the content of all tables back. */
    void restore() throws SQLException {
        restore(tables.keySet());
    }

    /** Whether it can be put back alone: what was written to a part or an heir is known by the name of its topmost table. */
    boolean has(String table) {
        return !inherits && tables.containsKey(table);
    }

    /**
     * Puts the content of these tables back, and all sequences.
     *
     * @param changed names in the schema; of others there is nothing to do
     */
    void restore(Set<String> changed) throws SQLException {
        List<String> names = tables.keySet().stream().filter(changed::contains).toList();
        if (names.isEmpty() && sequences.isEmpty()) {
            return;
        }
        List<SavedTable> dirty = names.stream().map(this::table).toList();
        boolean done = dirty.stream().allMatch(SavedTable::hasRoom)
                && fill(dirty, dirty.stream().map(SavedTable::deleting).collect(Collectors.joining()));
        if (!done) {
            List<SavedTable> emptied = closed(names).stream().map(this::table).toList();
            emptied.forEach(SavedTable::willBeEmptied);
            fill(
                    emptied,
                    Stream.concat(
                                    emptied.stream().map(SavedTable::name),
                                    partitioned.stream().map(this::qualified))
                            .collect(Collectors.joining(", ", "; TRUNCATE ", "")));
        }
    }

    private SavedTable table(String name) {
        return Objects.requireNonNull(tables.get(name));
    }

    /** Whether all rows lie as in a new table. */
    private boolean fill(List<SavedTable> which, String emptying) throws SQLException {
        StringBuilder sql = new StringBuilder(NO_TRIGGERS).append(emptying);
        which.forEach(SavedTable::willBeFilled);
        which.forEach(table -> sql.append(table.filling()));
        sql.append(sequences);
        Iterator<SavedTable> telling = which.stream().filter(SavedTable::tells).iterator();
        try (Statement statement = connection.createStatement()) {
            boolean isRows = statement.execute(sql.toString());
            while (isRows || statement.getUpdateCount() >= 0) {
                if (isRows && telling.hasNext()) {
                    telling.next().isFilled(statement.getResultSet());
                }
                isRows = statement.getMoreResults();
            }
        }
        return which.stream().allMatch(SavedTable::isInPlace);
    }

    private String qualified(String table) {
        return schema + "." + quoted(table);
    }

    /** TRUNCATE wants every table that refers to one of them named too. */
    private Set<String> closed(Collection<String> changed) {
        if (!partitioned.isEmpty()) {
            return tables.keySet();
        }
        Set<String> all = new TreeSet<>();
        List<String> open = new ArrayList<>(changed);
        while (!open.isEmpty()) {
            String table = open.remove(open.size() - 1);
            if (tables.containsKey(table) && all.add(table)) {
                open.addAll(children.getOrDefault(table, Set.of()));
            }
        }
        return all;
    }

    /** Whether the schema is known to be still the one that was saved; if not, content alone does not bring it back. */
    boolean isSameSchema() throws SQLException {
        return fingerprint.isPresent() && fingerprint.get().equals(fingerprint());
    }

    private String fingerprint() throws SQLException {
        return String.valueOf(
                list(SchemaFingerprint.query(IN_SCHEMA.formatted(schema))).get(0)[0]);
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The rows of the first statement that returns any. */
    private List<@Nullable String[]> list(String sql) throws SQLException {
        List<@Nullable String[]> list = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            boolean isRows = statement.execute(sql);
            while (!isRows && statement.getUpdateCount() >= 0) {
                isRows = statement.getMoreResults();
            }
            try (ResultSet result = statement.getResultSet()) {
                int columns = result.getMetaData().getColumnCount();
                while (result.next()) {
                    @Nullable String[] row = new String[columns];
                    for (int i = 0; i < columns; i++) {
                        row[i] = result.getString(i + 1);
                    }
                    list.add(row);
                }
            }
        }
        return list;
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
