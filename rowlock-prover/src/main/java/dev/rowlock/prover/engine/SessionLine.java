package dev.rowlock.prover.engine;

import dev.rowlock.prover.scenario.IsolationLevel;
import dev.rowlock.prover.scenario.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** The connection of a scenario's session: what is sent over it, and what the prover sets in between. */
final class SessionLine {
    private static final String CAN_WAIT_LONG = "SET deadlock_timeout = '1h'";
    private static final String MAY_CLOSE_A_CYCLE = "SET deadlock_timeout = '1ms'";
    /** What may take back what was set within a transaction. */
    private static final Pattern ENDING =
            Pattern.compile("\\b(ROLLBACK|ABORT|COMMIT|END)\\b", Pattern.CASE_INSENSITIVE);

    private final String session;
    private final BaseConnection connection;
    private final String settings;
    private final IsolationLevel level;
    /** Whether nothing was done to the session that the end of a transaction does not take back. */
    private boolean pristine = true;
    /** Null when it is not known. */
    private @Nullable Boolean mayDeadlock = false;
    /** Whether that was said within a transaction, whose end may take it back. */
    private boolean saidWithin;

    /**
     * A session with all settings made.
     *
     * @param session its name, for messages
     * @param connection new, and used by nobody else
     * @param level of transactions that name none; empty if that of the server
     */
    SessionLine(String session, Connection connection, Optional<IsolationLevel> level) throws SQLException {
        this.session = session;
        this.connection = connection.unwrap(BaseConnection.class);
        // Nobody will look for what is committed here after a crash.
        this.settings = "SET synchronous_commit = off; " + CAN_WAIT_LONG
                + level.map(one -> "; SET default_transaction_isolation = '" + one.sql() + "'")
                        .orElse("");
        try (ResultSet result = this.connection.execSQLQuery(settings + "; SHOW default_transaction_isolation")) {
            result.next();
            this.level = IsolationLevel.of(result.getString(1)).orElse(IsolationLevel.READ_COMMITTED);
        }
    }

    int backend() {
        return connection.getBackendPID();
    }

    /** Of transactions that name none. */
    IsolationLevel level() {
        return level;
    }

    /** Something is about to be done to the session that the end of a transaction does not take back. */
    void willChange() {
        pristine = false;
    }

    boolean isPristine() {
        return pristine;
    }

    /** As if it were new. */
    void renew() throws SQLException {
        if (!pristine) {
            execute("DISCARD ALL");
            execute(settings);
            mayDeadlock = false;
            saidWithin = false;
            pristine = true;
        }
        mayDeadlock(false);
    }

    /** As {@link Program#mayDeadlock}. */
    void mayDeadlock(boolean may) {
        if (saidWithin && connection.getTransactionState() == TransactionState.IDLE) {
            mayDeadlock = null;
        }
        if (mayDeadlock != null && mayDeadlock == may) {
            return;
        }
        mayDeadlock = null;
        if (connection.getTransactionState() == TransactionState.FAILED) {
            // Nothing can be said to it, and nothing that it can do now waits.
            return;
        }
        try {
            execute(may ? MAY_CLOSE_A_CYCLE : CAN_WAIT_LONG);
            mayDeadlock = may;
            saidWithin = connection.getTransactionState() != TransactionState.IDLE;
        } catch (SQLException e) {
            throw new RaceException("deadlock_timeout cannot be set: " + e.getMessage(), e);
        }
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void executeUnchecked(String sql) {
        try {
            execute(sql);
        } catch (SQLException e) {
            throw new RaceException(sql + " in session " + session + " failed: " + e.getMessage(), e);
        }
    }

    /** Ends the transaction that is open, if the server has not ended it already. */
    void rollBack() {
        if (connection.getTransactionState() != TransactionState.IDLE || isClosed()) {
            executeUnchecked("ROLLBACK");
        }
        forgetIfSaidWithin();
    }

    private boolean isClosed() {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            throw new RaceException("session " + session + ": " + e.getMessage(), e);
        }
    }

    private void forgetIfSaidWithin() {
        if (saidWithin) {
            mayDeadlock = null;
        }
    }

    /** Leaves nothing behind that others could wait for. */
    void leave() {
        rollBack();
        executeUnchecked("SELECT pg_advisory_unlock_all()");
    }

    boolean isTrue(String condition) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(condition)) {
            return result.next() && result.getBoolean(1);
        }
    }

    /**
     * Sends what may be several statements.
     *
     * @param rows gets all rows of all results, also when a later statement fails
     * @param into the names that the first row of the first result is bound to
     * @param variables gets them, as literals
     * @return how many rows the last statement returned or changed
     */
    int send(String sql, List<List<String>> rows, List<String> into, Map<String, @Nullable String> variables)
            throws SQLException {
        if (ENDING.matcher(sql).find()) {
            forgetIfSaidWithin();
        }
        int count = 0;
        boolean bound = into.isEmpty();
        try (Statement statement = connection.createStatement()) {
            boolean isRows = statement.execute(sql);
            while (isRows || statement.getUpdateCount() >= 0) {
                if (isRows) {
                    try (ResultSet result = statement.getResultSet()) {
                        count = read(result, rows, bound ? List.of() : into, variables);
                        bound = true;
                    }
                } else {
                    count = statement.getUpdateCount();
                }
                isRows = statement.getMoreResults();
            }
        }
        if (!bound) {
            into.forEach(name -> variables.put(name, null));
        }
        return count;
    }

    private static int read(
            ResultSet result, List<List<String>> rows, List<String> into, Map<String, @Nullable String> variables)
            throws SQLException {
        int columns = result.getMetaData().getColumnCount();
        if (into.size() > columns) {
            throw new SQLException("the step reads " + columns + " column(s) into " + into.size() + " names: " + into);
        }
        int count = 0;
        into.forEach(name -> variables.put(name, null));
        while (result.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 1; i <= columns; i++) {
                String value = result.getString(i);
                row.add(value == null ? "NULL" : value);
                if (count == 0 && i <= into.size()) {
                    variables.put(
                            into.get(i - 1), literal(value, result.getMetaData().getColumnType(i)));
                }
            }
            rows.add(row);
            count++;
        }
        return count;
    }

    /** A number stays one, so that {@code :a + :b} is an addition; all else is a literal whose type its use decides. */
    private static @Nullable String literal(@Nullable String value, int type) {
        if (value == null) {
            return null;
        }
        return switch (type) {
            case Types.SMALLINT, Types.INTEGER, Types.BIGINT -> value;
            case Types.NUMERIC, Types.DOUBLE, Types.REAL -> Sql.literal(value) + "::numeric";
            default -> Sql.literal(value);
        };
    }
}
