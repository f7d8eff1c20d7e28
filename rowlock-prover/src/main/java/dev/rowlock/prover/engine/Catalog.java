package dev.rowlock.prover.engine;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the database's catalog says about which tables are touched besides those that a plan names, and by which columns a row is
 * found alone. Tables are written {@code schema.name}, unquoted.
 *
 * @param opaque why nothing can be said about any statement; empty if something can
 * @param parents of a table: those whose rows its foreign keys lock
 * @param children of a table: those whose foreign keys point to it
 * @param roots of a partition or an inheriting table: the topmost table
 * @param triggered tables with a trigger of the user's
 * @param points of a table: the columns of each unique index by whose values a row can be told from all others in words
 * @param keyed of a table: all columns of its unique indexes
 * @param unpointed tables with a unique index that depends on more than its columns
 */
record Catalog(
        Optional<String> opaque,
        Map<String, Set<String>> parents,
        Map<String, Set<String>> children,
        Map<String, String> roots,
        Set<String> triggered,
        Map<String, Set<List<String>>> points,
        Map<String, Set<String>> keyed,
        Set<String> unpointed) {

    private static final String IS_USERS = "NOT IN ('pg_catalog', 'information_schema', 'pg_toast')";

    /** Whatever runs code that no plan shows, or runs it at the commit. Trigger functions are seen through their triggers. */
    private static final String OPAQUE = """
            SELECT 'a function: ' || p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
            WHERE n.nspname %1$s AND p.prorettype <> 'trigger'::regtype
            UNION ALL
            SELECT 'a deferrable constraint: ' || conname FROM pg_constraint WHERE condeferrable
            UNION ALL
            SELECT 'a deferrable trigger: ' || tgname FROM pg_trigger WHERE tgdeferrable AND NOT tgisinternal
            UNION ALL
            SELECT 'a policy: ' || polname FROM pg_policy
            UNION ALL
            SELECT 'an event trigger: ' || evtname FROM pg_event_trigger
            UNION ALL
            SELECT 'a foreign table: ' || relname FROM pg_class WHERE relkind = 'f'
            LIMIT 1""".formatted(IS_USERS);

    private static final String NAME = "(SELECT n.nspname || '.' || c.relname FROM pg_class c"
            + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = %s)";

    private static final String FOREIGN_KEYS = "SELECT DISTINCT " + NAME.formatted("conrelid") + ", "
            + NAME.formatted("confrelid") + " FROM pg_constraint WHERE contype = 'f'";

    private static final String ROOTS = """
            WITH RECURSIVE up (leaf, root) AS (
              SELECT inhrelid, inhparent FROM pg_inherits
              UNION
              SELECT up.leaf, i.inhparent FROM up JOIN pg_inherits i ON i.inhrelid = up.root)
            SELECT %s, %s FROM up
            WHERE NOT EXISTS (SELECT 1 FROM pg_inherits i WHERE i.inhrelid = up.root)""".formatted(NAME.formatted("leaf"), NAME.formatted("root"));

    private static final String TRIGGERED = "SELECT DISTINCT " + NAME.formatted("tgrelid")
            + ", '' FROM pg_trigger WHERE NOT tgisinternal AND tgname <> '" + Overlap.TRIGGER + "'";

    /** Values of these types are equal only if their texts are. A view may give columns other names. */
    private static final String KEYS = """
            SELECT %s || E'\\n' || (x.indexprs IS NULL AND x.indpred IS NULL AND NOT x.indisexclusion
                          AND NOT EXISTS (SELECT 1 FROM pg_class v JOIN pg_namespace vn ON vn.oid = v.relnamespace
                                          WHERE v.relkind = 'v' AND vn.nspname %s)),
              (SELECT string_agg(a.attname, E'\\n' ORDER BY a.attnum) || E'\\n'
                      || bool_and(a.atttypid = ANY ('{int2,int4,int8,uuid,text,varchar}'::regtype[])
                                  AND coalesce((SELECT collisdeterministic FROM pg_collation WHERE oid = a.attcollation), true))
               FROM pg_attribute a
               WHERE a.attrelid = x.indrelid AND a.attnum = ANY ((x.indkey::int2[])[0:x.indnkeyatts - 1]))
            FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
            WHERE (x.indisunique OR x.indisexclusion) AND n.nspname %s""".formatted(NAME.formatted("x.indrelid"), IS_USERS, IS_USERS);

    /** Reads it. */
    static Catalog read(Connection connection) throws SQLException {
        Map<String, Set<String>> parents = new HashMap<>();
        Map<String, Set<String>> children = new HashMap<>();
        for (String[] key : pairs(connection, FOREIGN_KEYS)) {
            parents.computeIfAbsent(key[0], any -> new HashSet<>()).add(key[1]);
            children.computeIfAbsent(key[1], any -> new HashSet<>()).add(key[0]);
        }
        Map<String, String> roots = new HashMap<>();
        pairs(connection, ROOTS).forEach(pair -> roots.put(pair[0], pair[1]));
        Set<String> triggered = new HashSet<>();
        pairs(connection, TRIGGERED).forEach(pair -> triggered.add(pair[0]));
        Map<String, Set<List<String>>> points = new HashMap<>();
        Map<String, Set<String>> keyed = new HashMap<>();
        Set<String> unpointed = new HashSet<>();
        for (String[] index : pairs(connection, KEYS)) {
            List<String> table = List.of(index[0].split("\n", -1));
            boolean plain = table.get(1).equals("true") && index[1] != null;
            if (!plain) {
                unpointed.add(table.get(0));
                continue;
            }
            List<String> columns = List.of(index[1].split("\n", -1));
            List<String> names = columns.subList(0, columns.size() - 1);
            keyed.computeIfAbsent(table.get(0), any -> new HashSet<>()).addAll(names);
            if (columns.get(columns.size() - 1).equals("true")) {
                points.computeIfAbsent(table.get(0), any -> new HashSet<>()).add(names);
            }
        }
        Optional<String> opaque = pairs(connection, "SELECT x.*, '' FROM (" + OPAQUE + ") AS x").stream()
                .map(pair -> pair[0])
                .findFirst();
        return new Catalog(opaque, parents, children, roots, triggered, points, keyed, unpointed);
    }

    private static List<@Nullable String[]> pairs(Connection connection, String sql) throws SQLException {
        List<@Nullable String[]> pairs = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                pairs.add(new String[] {result.getString(1), result.getString(2)});
            }
        }
        return pairs;
    }

    /** The table itself, or the topmost one that it is a part of. */
    String root(String table) {
        return roots.getOrDefault(table, table);
    }

    boolean isPart(String table) {
        return roots.containsKey(table) || roots.containsValue(table);
    }

    boolean hasForeignKeys(String table) {
        return parents.containsKey(table) || children.containsKey(table);
    }

    /** The tables whose rows a write to this one can lock or change through foreign keys; cascades included. */
    Set<String> reachedFrom(String table, boolean alsoChildren) {
        Set<String> reached = new HashSet<>(parents.getOrDefault(table, Set.of()));
        Deque<String> open = new ArrayDeque<>(alsoChildren ? children.getOrDefault(table, Set.of()) : Set.of());
        while (!open.isEmpty()) {
            String child = open.pop();
            if (reached.add(child)) {
                reached.addAll(parents.getOrDefault(child, Set.of()));
            }
            children.getOrDefault(child, Set.of()).stream()
                    .filter(next -> !reached.contains(next))
                    .forEach(open::push);
        }
        return reached;
    }
}
