package dev.rowlock.watch.waits;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads one snapshot inside the transaction of a connection. The first waiter for a row holds the row's place in the queue, a granted
 * {@code tuple} lock, and waits for the transaction that has the row; those behind it wait for that place.
 */
final class SnapshotReader {
    private static final String LIMITS = """
            SELECT set_config('statement_timeout', '5000', true),
                   set_config('lock_timeout', '50', true),
                   set_config('transaction_read_only', 'on', true)
            """;

    private static final String NOW = """
            SELECT clock_timestamp(),
                   current_database(),
                   coalesce(deadlocks, 0)
              FROM pg_stat_database
             WHERE datname = current_database()
            """;

    /** The materialised part asks for the locks once: two looks would see two different moments. */
    private static final String WAITS = """
            WITH lock AS MATERIALIZED (
              SELECT *
                FROM pg_locks
            ), waiting AS (
              SELECT lock.*,
                     held.database AS row_database,
                     held.relation AS row_relation,
                     held.page AS row_page,
                     held.tuple AS row_tuple,
                     held.mode AS row_mode
                FROM lock
                LEFT JOIN lock held ON held.pid = lock.pid
                                   AND held.locktype = 'tuple'
                                   AND held.granted
                                   AND lock.locktype = 'transactionid'
               WHERE NOT lock.granted
                 AND lock.pid <> pg_backend_pid()
            ), named AS (
              SELECT waiting.*,
                     coalesce(row_relation, relation) AS the_relation,
                     coalesce(row_database, database) = here.oid AS is_here
                FROM waiting, pg_database here
               WHERE here.datname = current_database()
            )
            SELECT pid,
                   CASE WHEN row_relation IS NULL THEN locktype ELSE 'tuple' END AS locktype,
                   coalesce(row_mode, mode) AS mode,
                   the_relation AS relation,
                   CASE WHEN is_here THEN the_relation::regclass::text END AS relation_name,
                   '(' || coalesce(row_page, page) || ',' || coalesce(row_tuple, tuple) || ')' AS ctid,
                   is_here AND EXISTS (
                     SELECT 1
                       FROM lock barred
                      WHERE barred.relation = the_relation
                        AND barred.locktype = 'relation'
                        AND barred.mode = 'AccessExclusiveLock'
                   ) AS barred,
                   transactionid::text AS xid,
                   virtualxid AS virtualxid,
                   classid::bigint AS classid,
                   objid::bigint AS objid,
                   objsubid AS objsubid,
                   extract(epoch FROM clock_timestamp() - waitstart)::float8 AS seconds,
                   ARRAY(SELECT DISTINCT unnest(pg_blocking_pids(pid)) ORDER BY 1) AS blockers,
                   (SELECT gid FROM pg_prepared_xacts WHERE transaction = transactionid) AS gid
              FROM named
             UNION ALL
            SELECT pid, 'safe-snapshot', 'snapshot', NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, NULL,
                   extract(epoch FROM clock_timestamp() - query_start)::float8,
                   ARRAY(SELECT DISTINCT unnest(pg_safe_snapshot_blocking_pids(pid)) ORDER BY 1),
                   NULL
              FROM pg_stat_activity
             WHERE wait_event = 'SafeSnapshot'
             ORDER BY seconds DESC NULLS LAST, pid
            """;

    private static final String SESSIONS = """
            SELECT pid,
                   usename,
                   coalesce(application_name, '') AS application_name,
                   pg_has_role(usesysid, 'USAGE') OR pg_has_role('pg_read_all_stats', 'USAGE') AS visible,
                   host(client_addr) AS client,
                   state,
                   extract(epoch FROM clock_timestamp() - state_change)::float8 AS state_seconds,
                   extract(epoch FROM clock_timestamp() - xact_start)::float8 AS transaction_seconds,
                   query
              FROM pg_stat_activity
             WHERE pid = ANY (?)
             ORDER BY pid
            """;

    private final Connection connection;
    private final RowKeys keys;
    private final Map<Integer, String> prepared = new HashMap<>();

    SnapshotReader(Connection connection) {
        this.connection = connection;
        this.keys = new RowKeys(connection);
    }

    LockSnapshot read() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(LIMITS);
            Instant takenAt;
            String database;
            long deadlocks;
            try (ResultSet row = statement.executeQuery(NOW)) {
                row.next();
                takenAt = row.getObject(1, OffsetDateTime.class).toInstant();
                database = row.getString(2);
                deadlocks = row.getLong(3);
            }
            List<Wait> waits = new ArrayList<>();
            try (ResultSet row = statement.executeQuery(WAITS)) {
                while (row.next()) {
                    waits.add(wait(row));
                }
            }
            List<Session> sessions = sessions(waits);
            boolean complete = sessions.stream().allMatch(Session::visible);
            return new LockSnapshot(takenAt, database, deadlocks, complete, sessions, waits);
        }
    }

    private Wait wait(ResultSet row) throws SQLException {
        Array array = row.getArray("blockers");
        List<Integer> blockers = List.of((Integer[]) array.getArray());
        String gid = row.getString("gid");
        if (gid != null) {
            prepared.put(0, gid);
        }
        return new Wait(row.getInt("pid"), blockers, lock(row), seconds(row, "seconds"));
    }

    private LockedThing lock(ResultSet row) throws SQLException {
        String type = row.getString("locktype");
        String mode = row.getString("mode");
        String relation = row.getString("relation_name");
        return switch (type) {
            case "tuple" -> row(row, relation, mode);
            case "transactionid" -> plain(LockedThing.Kind.TRANSACTION, mode, row.getString("xid"));
            case "virtualxid" -> plain(LockedThing.Kind.TRANSACTION, mode, row.getString("virtualxid"));
            case "relation" -> new LockedThing(LockedThing.Kind.RELATION, mode, relation, null, Map.of(), null);
            case "advisory" -> plain(LockedThing.Kind.ADVISORY, mode, advisoryKey(row));
            case "safe-snapshot" -> plain(LockedThing.Kind.SAFE_SNAPSHOT, mode, null);
            default -> new LockedThing(LockedThing.Kind.OTHER, mode, relation, row.getString("ctid"), Map.of(), type);
        };
    }

    private LockedThing row(ResultSet row, @Nullable String relation, String mode) throws SQLException {
        String ctid = row.getString("ctid");
        boolean readable = relation != null && !row.getBoolean("barred");
        Map<String, String> key = readable ? keys.read(row.getLong("relation"), ctid) : Map.of();
        return new LockedThing(LockedThing.Kind.ROW, RowStrength.of(mode), relation, ctid, key, null);
    }

    private static LockedThing plain(LockedThing.Kind kind, String mode, @Nullable String detail) {
        return new LockedThing(kind, mode, null, null, Map.of(), detail);
    }

    /** As it was given: one 64-bit number comes in two halves, two 32-bit numbers come with a 2 beside them. */
    private static String advisoryKey(ResultSet row) throws SQLException {
        long high = row.getLong("classid");
        long low = row.getLong("objid");
        return row.getInt("objsubid") == 1 ? String.valueOf(high << Integer.SIZE | low) : (int) high + ", " + (int) low;
    }

    private List<Session> sessions(List<Wait> waits) throws SQLException {
        TreeSet<Integer> pids = new TreeSet<>();
        waits.forEach(wait -> {
            pids.add(wait.pid());
            pids.addAll(wait.blockers());
        });
        List<Session> sessions = new ArrayList<>();
        if (pids.isEmpty()) {
            return sessions;
        }
        if (pids.contains(0)) {
            sessions.add(new Session(
                    0, null, prepared.getOrDefault(0, ""), true, null, "prepared transaction", null, null, null));
        }
        try (PreparedStatement statement = connection.prepareStatement(SESSIONS)) {
            statement.setArray(1, connection.createArrayOf("int4", pids.toArray()));
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    sessions.add(session(row));
                }
            }
        }
        sessions.sort(Comparator.comparingInt(Session::pid));
        return sessions;
    }

    private static Session session(ResultSet row) throws SQLException {
        boolean visible = row.getBoolean("visible");
        return new Session(
                row.getInt("pid"),
                row.getString("usename"),
                row.getString("application_name"),
                visible,
                row.getString("client"),
                row.getString("state"),
                seconds(row, "state_seconds"),
                seconds(row, "transaction_seconds"),
                visible ? row.getString("query") : null);
    }

    private static @Nullable Duration seconds(ResultSet row, String column) throws SQLException {
        double seconds = row.getDouble(column);
        // Two clocks are read one after the other: a wait that has just begun may seem to begin in the future.
        return row.wasNull() ? null : Duration.ofNanos(Math.max(0, Math.round(seconds * 1e9)));
    }
}
