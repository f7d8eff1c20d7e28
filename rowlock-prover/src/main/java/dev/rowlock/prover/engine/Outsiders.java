package dev.rowlock.prover.engine;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds connections to the database that the gates do not see, which is possible because the database serves nobody else: those
 * that are still there by their last statement, those that are gone by the server's count of sessions.
 */
final class Outsiders {
    private static final String WORKING = """
            SELECT application_name, query
            FROM pg_stat_activity
            WHERE datname = current_database()
              AND backend_type = 'client backend'
              AND pid <> pg_backend_pid()
              AND pid <> ALL (?::int4[])
              AND query_start >= ?
              AND query !~* '^\\s*(SET\\y|SHOW\\y|$)'""";

    private static final String SESSIONS =
            "SELECT clock_timestamp(), (SELECT sessions FROM pg_stat_database WHERE datname = current_database())";

    private final Connection connection;
    private final Gates gates;
    private final Set<Integer> internal;
    private final boolean countsSessions;
    private final Timestamp since;
    private final long sessions;
    private final int known;

    /**
     * Begins to watch.
     *
     * @param internal the backends of the prover's own connections
     * @param countsSessions whether all connections that the gates hand out are opened by them, and make the server count them at
     *     once
     */
    Outsiders(Connection connection, Gates gates, Set<Integer> internal, boolean countsSessions) throws SQLException {
        this.connection = connection;
        this.gates = gates;
        this.internal = Set.copyOf(internal);
        this.countsSessions = countsSessions;
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(SESSIONS)) {
            result.next();
            this.since = result.getTimestamp(1);
            this.sessions = result.getLong(2);
        }
        this.known = gates.backends().size();
    }

    /** What was found since, as reasons. */
    List<String> found() throws SQLException {
        List<String> found = new ArrayList<>();
        Set<Integer> handedOut = gates.backends();
        Set<Integer> own = new HashSet<>(handedOut);
        own.addAll(internal);
        try (PreparedStatement statement = connection.prepareStatement(WORKING)) {
            statement.setArray(1, connection.createArrayOf("int4", own.toArray()));
            statement.setTimestamp(2, since);
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    found.add("a connection outside control was used: application " + result.getString(1) + " sent "
                            + result.getString(2));
                }
            }
        }
        if (countsSessions && found.isEmpty()) {
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery(SESSIONS)) {
                result.next();
                long outside = result.getLong(2) - sessions - (handedOut.size() - known);
                if (outside > 0) {
                    found.add("a connection outside control was used: the server counted " + outside
                            + " more connections than the race's data source opened");
                }
            }
        }
        return found;
    }
}
