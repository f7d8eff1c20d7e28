package dev.rowlock.watch.waits;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns places of rows into primary keys, where this role may read them; at most {@value #MOST} of them for one snapshot. */
final class RowKeys {
    private static final int MOST = 100;

    /** The place of a row can be asked for by who may read the whole table only. */
    private static final String COLUMNS = """
            SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS relation,
                   a.attname AS column_name,
                   quote_ident(a.attname) AS quoted,
                   has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') AS readable
              FROM pg_index i
              JOIN pg_class c ON c.oid = i.indrelid
              JOIN pg_namespace n ON n.oid = c.relnamespace
             CROSS JOIN LATERAL unnest(i.indkey[0 : i.indnkeyatts - 1]) WITH ORDINALITY k (attnum, place)
              JOIN pg_attribute a ON a.attrelid = c.oid
                                 AND a.attnum = k.attnum
             WHERE i.indrelid = CAST(? AS oid)
               AND i.indisprimary
             ORDER BY k.place
            """;

    /** No lock at once, may not read it, the table has gone, too slow: then the key stays unknown, and the rest is still told. */
    private static final Set<String> UNKNOWN = Set.of("55P03", "42501", "42P01", "3F000", "57014");

    private record KeyOf(String relation, List<String> columns, List<String> quoted) {}

    private final Connection connection;
    private final Map<Long, @Nullable KeyOf> tables = new HashMap<>();
    private final Map<String, Map<String, String>> rows = new HashMap<>();

    RowKeys(Connection connection) {
        this.connection = connection;
    }

    /** Column by column; empty if it cannot be known. */
    Map<String, String> read(long relation, String ctid) throws SQLException {
        String place = relation + ctid;
        Map<String, String> known = rows.get(place);
        if (known != null || rows.size() >= MOST) {
            return known == null ? Map.of() : known;
        }
        Map<String, String> found = find(relation, ctid);
        rows.put(place, found);
        return found;
    }

    private Map<String, String> find(long relation, String ctid) throws SQLException {
        if (!tables.containsKey(relation)) {
            tables.put(relation, columns(relation));
        }
        KeyOf key = tables.get(relation);
        if (key == null) {
            return Map.of();
        }
        Savepoint before = connection.setSavepoint();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + String.join(", ", key.quoted()) + " FROM "
                        + key.relation() + " WHERE ctid = '" + ctid + "'")) {
            Map<String, String> values = new LinkedHashMap<>();
            if (row.next()) {
                for (int i = 0; i < key.columns().size(); i++) {
                    values.put(key.columns().get(i), String.valueOf(row.getString(i + 1)));
                }
            }
            return values;
        } catch (SQLException e) {
            if (!UNKNOWN.contains(e.getSQLState())) {
                throw e;
            }
            connection.rollback(before);
            return Map.of();
        }
    }

    /** The primary key of a table; null if it has none or this role may not read it. */
    private @Nullable KeyOf columns(long relation) throws SQLException {
        List<String> columns = new ArrayList<>();
        List<String> quoted = new ArrayList<>();
        String name = null;
        boolean readable = true;
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            statement.setLong(1, relation);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    name = row.getString("relation");
                    columns.add(row.getString("column_name"));
                    quoted.add(row.getString("quoted"));
                    readable &= row.getBoolean("readable");
                }
            }
        }
        return name == null || !readable ? null : new KeyOf(name, columns, quoted);
    }
}
