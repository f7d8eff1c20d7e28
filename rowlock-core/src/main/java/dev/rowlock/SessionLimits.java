package dev.rowlock;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the database and puts the time limits in force, once for each physical connection: a connection that comes back from a
 * pool is known and costs nothing more.
 */
final class SessionLimits {
    private static final Logger LOG = LoggerFactory.getLogger(SessionLimits.class);
    private static final int OLDEST = 14;
    private static final int NEWEST_TESTED = 18;

    /** What a physical connection is known to be set to. Shared by all instances, since pools can be shared too. */
    private static final Map<Connection, Known> KNOWN = Collections.synchronizedMap(new WeakHashMap<>());

    private static final String PROBE = """
            SELECT version(),
                   current_setting('server_version_num')::int,
                   current_setting('default_transaction_isolation'),
                   (SELECT stats_reset::text FROM pg_stat_bgwriter)""";
    private static final String SET = """
            SELECT set_config('lock_timeout', ?, false),
                   set_config('statement_timeout', ?, false),
                   set_config('idle_in_transaction_session_timeout', ?, false)""";

    private SessionLimits() {}

    /**
     * @param prefix SQL that must still be sent as the first of the transaction, or an empty text
     * @param serverRun changes when the server comes back from a crash or another one takes its place, but not when it is
     *     restarted in good order: its cumulative statistics start anew then
     */
    record Ready(String prefix, String serverRun) {}

    private record Known(Isolation defaultIsolation, String serverRun, boolean isSet, Limits limits) {}

    /** Makes the connection ready; it must be in auto-commit mode. */
    static Ready prepare(Connection connection, Settings settings) throws SQLException {
        Connection physical = physical(connection);
        Known known = KNOWN.get(physical);
        if (known == null) {
            known = probe(connection, settings.limits());
            KNOWN.put(physical, known);
        }
        if (!settings.limitsPerTransaction()
                && !(known.isSet() && known.limits().equals(settings.limits()))) {
            set(connection, settings.limits());
            known = new Known(known.defaultIsolation(), known.serverRun(), true, settings.limits());
            KNOWN.put(physical, known);
        }
        // Behind a transaction-mode pooler the next transaction may run on another session, whose default is not known.
        boolean sayIsolation = settings.limitsPerTransaction() || known.defaultIsolation() != settings.isolation();
        String isolation = sayIsolation
                ? "SET TRANSACTION ISOLATION LEVEL " + settings.isolation().sql() + "; "
                : "";
        String limits = settings.limitsPerTransaction() ? settings.limits().setLocal() : "";
        return new Ready(isolation + limits, known.serverRun());
    }

    private static Known probe(Connection connection, Limits limits) throws SQLException {
        requireProduct(connection.getMetaData().getDatabaseProductName());
        try (PreparedStatement statement = connection.prepareStatement(PROBE);
                ResultSet result = statement.executeQuery()) {
            result.next();
            String version = result.getString(1);
            int major = result.getInt(2) / 10_000;
            requireVersion(version.startsWith("PostgreSQL "), version, major);
            if (major > NEWEST_TESTED) {
                LOG.warn(
                        "PostgreSQL {} is newer than the newest that Rowlock was tested with, {}",
                        major,
                        NEWEST_TESTED);
            }
            Isolation isolation = Isolation.ofServerSetting(result.getString(3));
            return new Known(isolation, String.valueOf(result.getString(4)), false, limits);
        }
    }

    /** From what the driver knows of the server without asking it. */
    static void requireSupported(String product, String version, int major) {
        requireProduct(product);
        requireVersion(true, product + " " + version, major);
    }

    private static void requireProduct(String product) {
        if (!product.equals("PostgreSQL")) {
            throw unsupported(product);
        }
    }

    private static void requireVersion(boolean genuine, String version, int major) {
        if (!genuine || version.contains("-YB-") || major < OLDEST) {
            throw unsupported(version);
        }
    }

    private static UnsupportedDatabaseException unsupported(String database) {
        return new UnsupportedDatabaseException(
                "the database is " + database + "; Rowlock needs PostgreSQL " + OLDEST + " or newer", null);
    }

    private static void set(Connection connection, Limits limits) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SET)) {
            statement.setString(1, Long.toString(limits.lock().toMillis()));
            statement.setString(2, Long.toString(limits.statement().toMillis()));
            statement.setString(3, Long.toString(limits.idleInTransaction().toMillis()));
            statement.execute();
        }
    }

    /** The driver's own connection behind a pool's wrapper: the same object each time the pool lends it. */
    private static Connection physical(Connection connection) throws SQLException {
        return connection.isWrapperFor(Connection.class) ? connection.unwrap(Connection.class) : connection;
    }
}
