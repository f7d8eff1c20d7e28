package dev.rowlock.cli;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** What must be so before a proof may use somebody's server. Each check that fails says what to do. */
final class GivenServerChecks {
    private static final int OLDEST = 14_00_00;
    private static final int SET_CAN_BE_GRANTED = 15_00_00;
    private static final String NOT_PERMITTED = "42501";
    private static final int NAMED_AT_MOST = 5;

    /** Two numbers for an advisory lock that nobody else takes by chance: "rowl" and the schema. */
    private static final String TRY_LOCK = "SELECT pg_try_advisory_lock(1919907692, hashtext(?))";

    /** Everything directly inside a schema, of whatever kind. */
    private static final String CONTENT = """
            SELECT pg_describe_object(d.classid, d.objid, d.objsubid)
            FROM pg_depend AS d
            JOIN pg_namespace AS n ON n.oid = d.refobjid
            WHERE d.refclassid = 'pg_namespace'::regclass
              AND n.nspname = ?
            ORDER BY 1""";

    private final Connection connection;
    private final int serverVersion;

    private GivenServerChecks(Connection connection) throws SQLException {
        this.connection = connection;
        this.serverVersion = Integer.parseInt(ask("SHOW server_version_num"));
    }

    static void require(Connection connection, String schema) throws SQLException {
        GivenServerChecks checks = new GivenServerChecks(connection);
        checks.requireServer();
        checks.requireDeadlockTimeout();
        checks.requireMaySchema();
        if (!checks.is(TRY_LOCK, schema)) {
            throw new Refusal("--url: another proof uses schema " + schema
                    + " now; wait for its end, or name another schema with currentSchema=… in the URL");
        }
        checks.requireEmpty(schema);
    }

    private void requireServer() throws SQLException {
        requireVersion(serverVersion, ask("SHOW server_version"));
        if (is("SELECT pg_is_in_recovery()")) {
            throw new Refusal("--url: this server is a standby, where nothing can be written; name the primary");
        }
    }

    static void requireVersion(int number, String words) {
        if (number < OLDEST) {
            throw new Refusal("--url: this is PostgreSQL " + words + "; 14 or newer is needed");
        }
    }

    /** Without it a deadlock would be found after a second or more, by a victim that differs from run to run. */
    private void requireDeadlockTimeout() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET deadlock_timeout = '1h'");
            statement.execute("RESET deadlock_timeout");
        } catch (SQLException e) {
            if (!NOT_PERMITTED.equals(e.getSQLState())) {
                throw e;
            }
            String role = ask("SELECT quote_ident(current_user)");
            throw new Refusal(
                    "--url: role " + role
                            + " may not set deadlock_timeout, which decides who is the victim of a deadlock; "
                            + (serverVersion < SET_CAN_BE_GRANTED
                                    ? "before PostgreSQL 15 only a superuser may: connect as one"
                                    : "let a superuser run: GRANT SET ON PARAMETER deadlock_timeout TO " + role),
                    e);
        }
    }

    private void requireMaySchema() throws SQLException {
        if (!is("SELECT has_database_privilege(current_database(), 'CREATE')")) {
            String role = ask("SELECT quote_ident(current_user)");
            String database = ask("SELECT quote_ident(current_database())");
            throw new Refusal("--url: role " + role + " may not make a schema in database " + database
                    + "; let its owner run: GRANT CREATE ON DATABASE " + database + " TO " + role);
        }
    }

    private void requireEmpty(String schema) throws SQLException {
        List<String> content = GivenServer.ask(connection, CONTENT, schema);
        if (!content.isEmpty()) {
            int more = content.size() - NAMED_AT_MOST;
            throw new Refusal("--url: schema " + schema + " is not empty, and a proof would drop what is in it: "
                    + String.join(", ", content.subList(0, Math.min(NAMED_AT_MOST, content.size())))
                    + (more > 0 ? " and " + more + " more" : "")
                    + "; empty it yourself, or name another schema with currentSchema=… in the URL");
        }
    }

    private boolean is(String question, String... parameters) throws SQLException {
        return GivenServer.ask(connection, question, parameters).equals(List.of("t"));
    }

    private String ask(String question) throws SQLException {
        return GivenServer.ask(connection, question).get(0);
    }
}
