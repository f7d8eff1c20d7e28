package dev.rowlock.prover.engine;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
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

    private static final String TABLES = """
            SELECT c.relname, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum)
            FROM pg_class c
            LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
            WHERE c.rel%1$s AND c.relkind = 'r' AND c.relpersistence <> 't'
            GROUP BY c.relname
            ORDER BY c.relname""";

    /** With the header and the line pointer of each row. */
    private static final String SIZE = "SELECT coalesce(sum(pg_column_size(t.*) + 32), 0) FROM %s AS t";

    private static final String FOREIGN_KEYS = """
            SELECT DISTINCT p.relname, c.relname
            FROM pg_constraint k JOIN pg_class p ON p.oid = k.confrelid JOIN pg_class c ON c.oid = k.conrelid
            WHERE k.contype = 'f' AND p.rel%1$s""";

    private static final String SEQUENCES = "SELECT sequencename, '' FROM pg_sequences WHERE schemaname = '%s'";

    /**
     * What would have to be restored too if it changed; of tables and indexes not where their content is, which restoring itself
     * changes.
     */
    private static final String FINGERPRINT = """
            SELECT coalesce(md5(string_agg(x, E'\\n' ORDER BY x)), '') FROM (
              SELECT ROW('r', oid, relname, relkind, relowner, relacl, relrowsecurity, reloptions, relnatts, reltoastrelid,
                         relpersistence)::text AS x
              FROM pg_class WHERE rel%1$s
              UNION ALL SELECT ROW('a', a.attrelid, a.attnum, a.xmin)::text
              FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE c.rel%1$s
              UNION ALL SELECT ROW('d', d.oid, d.xmin)::text
              FROM pg_attrdef d JOIN pg_class c ON c.oid = d.adrelid WHERE c.rel%1$s
              UNION ALL SELECT ROW('c', oid, xmin)::text FROM pg_constraint WHERE con%1$s
              UNION ALL SELECT ROW('i', i.indexrelid, i.indisvalid, i.indisunique)::text
              FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.rel%1$s
              UNION ALL SELECT ROW('t', t.oid, t.xmin)::text
              FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE c.rel%1$s
              UNION ALL SELECT ROW('w', w.oid, w.xmin)::text
              FROM pg_rewrite w JOIN pg_class c ON c.oid = w.ev_class WHERE c.rel%1$s
              UNION ALL SELECT ROW('l', l.oid, l.xmin)::text
              FROM pg_policy l JOIN pg_class c ON c.oid = l.polrelid WHERE c.rel%1$s
              UNION ALL SELECT ROW('p', oid, xmin)::text FROM pg_proc WHERE pro%1$s
              UNION ALL SELECT ROW('y', oid, xmin)::text FROM pg_type WHERE typ%1$s
              UNION ALL SELECT ROW('s', s.seqrelid, s.xmin)::text
              FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid WHERE c.rel%1$s
            ) AS whole""";

    /** Of a page of 8192: a page that is nearly full is tidied up, which this must not come near to. */
    private static final long ROOM_BYTES = 4500;

    private static final long SPARE_BYTES = 200;
    private static final long VERSIONS = 3;

    private final Connection connection;
    private final String schema;
    private static final String INSUFFICIENT_PRIVILEGE = "42501";
    private static final AtomicLong PREPARED = new AtomicLong();

    private final Map<String, String> deleting = new HashMap<>();
    private final Map<String, String> restoring = new LinkedHashMap<>();
    private final Map<String, Long> bytes = new HashMap<>();
    private final Map<String, Long> used = new HashMap<>();
    private final Map<String, Set<String>> children = new HashMap<>();
    private final List<String> partitioned;
    private final boolean inherits;
    private final StringBuilder sequences = new StringBuilder();
    private final String fingerprint;

    private SavedData(Connection connection, String schema) throws SQLException {
        this.connection = connection;
        this.schema = schema;
        int number = 0;
        for (Map.Entry<String, String> table : pairs(inSchema(TABLES)).entrySet()) {
            String qualified = schema + "." + quoted(table.getKey());
            String saved = "pg_temp.rowlock_saved_" + number++;
            run("DROP TABLE IF EXISTS " + saved);
            run("CREATE TEMPORARY TABLE " + saved.substring("pg_temp.".length()) + " AS SELECT * FROM ONLY "
                    + qualified);
            bytes.put(table.getKey(), Long.parseLong(list(SIZE.formatted(saved)).get(0)[0]));
            if (table.getValue() != null) {
                deleting.put(table.getKey(), prepared("DELETE FROM ONLY " + qualified));
                restoring.put(
                        table.getKey(),
                        prepared("INSERT INTO " + qualified + " (" + table.getValue()
                                + ") OVERRIDING SYSTEM VALUE SELECT " + table.getValue() + " FROM " + saved));
            }
        }
        for (String[] key : list(inSchema(FOREIGN_KEYS))) {
            children.computeIfAbsent(key[0], any -> new HashSet<>()).add(key[1]);
        }
        this.partitioned = list(inSchema("SELECT relname, '' FROM pg_class WHERE relkind = 'p' AND rel%1$s")).stream()
                .map(row -> row[0])
                .toList();
        this.inherits = !list(inSchema(
                        "SELECT 1 FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE c.rel%1$s"))
                .isEmpty();
        for (String sequence : pairs(SEQUENCES.formatted(schema)).keySet()) {
            saveSequence(schema + "." + quoted(sequence));
        }
        this.fingerprint = fingerprint();
    }

    /**
     * Saves what is there now.
     *
     * @return empty if content alone could not bring it back
     */
    static Optional<SavedData> of(Connection connection, String schema) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            try (ResultSet refused = statement.executeQuery(REFUSED.formatted(IN_SCHEMA.formatted(schema)))) {
                if (refused.next()) {
                    return Optional.empty();
                }
            }
            return maySwitchTriggersOff(statement) ? Optional.of(new SavedData(connection, schema)) : Optional.empty();
        }
    }

    /** Superusers may, and who was granted it. */
    private static boolean maySwitchTriggersOff(Statement statement) throws SQLException {
        try {
            statement.execute("SET session_replication_role = replica");
            statement.execute("SET session_replication_role = origin");
            return true;
        } catch (SQLException e) {
            if (INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    /** Plans it once; what executes it. */
    private String prepared(String sql) throws SQLException {
        String name = "rowlock_restoring_" + PREPARED.incrementAndGet();
        run("PREPARE " + name + " AS " + sql);
        return "EXECUTE " + name;
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
        restore(restoring.keySet());
    }

    /** Whether it can be put back alone: what was written to a part or an heir is known by the name of its topmost table. */
    boolean has(String table) {
        return !inherits && restoring.containsKey(table);
    }

    /**
     * Puts the content of these tables back, and all sequences.
     *
     * @param changed names in the schema; of others there is nothing to do
     */
    void restore(Set<String> changed) throws SQLException {
        List<String> tables =
                restoring.keySet().stream().filter(changed::contains).toList();
        if (tables.isEmpty() && sequences.isEmpty()) {
            return;
        }
        StringBuilder sql = new StringBuilder("SET LOCAL session_replication_role = replica");
        Collection<String> filled = tables;
        if (tables.stream().allMatch(this::hasRoom)) {
            tables.forEach(table -> sql.append("; ").append(deleting.get(table)));
            tables.forEach(table -> used.merge(table, need(table), Long::sum));
        } else {
            filled = closed(tables);
            List<String> emptied = new ArrayList<>(filled);
            emptied.addAll(partitioned);
            sql.append("; TRUNCATE ")
                    .append(emptied.stream().map(this::qualified).collect(Collectors.joining(", ")));
            filled.forEach(table -> used.put(table, need(table)));
        }
        filled.forEach(table -> sql.append("; ").append(restoring.get(table)));
        run(sql.append(sequences).toString());
    }

    /**
     * Whether the rows still go into the first page behind those deleted there before. As long as they do, they lie as in a new
     * table, and both the order in which a scan meets them and what SERIALIZABLE locks are the same in every schedule.
     */
    private boolean hasRoom(String table) {
        return used.containsKey(table) && used.get(table) + need(table) <= ROOM_BYTES;
    }

    /** What a schedule takes of the page: each row as restored and twice updated, and a few new ones. */
    private long need(String table) {
        return VERSIONS * bytes.getOrDefault(table, 0L) + SPARE_BYTES;
    }

    private String qualified(String table) {
        return schema + "." + quoted(table);
    }

    /** TRUNCATE wants every table that refers to one of them named too. */
    private Set<String> closed(Collection<String> changed) {
        if (!partitioned.isEmpty()) {
            return restoring.keySet();
        }
        Set<String> all = new TreeSet<>();
        List<String> open = new ArrayList<>(changed);
        while (!open.isEmpty()) {
            String table = open.remove(open.size() - 1);
            if (restoring.containsKey(table) && all.add(table)) {
                open.addAll(children.getOrDefault(table, Set.of()));
            }
        }
        return all;
    }

    /** Whether the schema is still the one that was saved; if not, content alone does not bring it back. */
    boolean isSameSchema() throws SQLException {
        return fingerprint.equals(fingerprint());
    }

    private String fingerprint() throws SQLException {
        return list(inSchema(FINGERPRINT)).get(0)[0];
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Map<String, String> pairs(String sql) throws SQLException {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String[] pair : list(sql)) {
            pairs.put(pair[0], pair[1]);
        }
        return pairs;
    }

    private List<@Nullable String[]> list(String sql) throws SQLException {
        List<@Nullable String[]> list = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                String second = result.getMetaData().getColumnCount() > 1 ? result.getString(2) : "";
                list.add(new String[] {result.getString(1), second});
            }
        }
        return list;
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
