package dev.rowlock.prover.engine;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.AutoSave;
import org.postgresql.jdbc.PreferQueryMode;

/** What the driver knows of a connection that an actor uses, and what the prover does with it between two steps. */
final class DriverSession {
    private final BaseConnection driver;
    private final int backend;
    private volatile @Nullable JavaProgram owner;

    private DriverSession(BaseConnection driver) {
        this.driver = driver;
        this.backend = driver.getBackendPID();
    }

    static DriverSession of(Connection connection) throws SQLException {
        if (!connection.isWrapperFor(BaseConnection.class)) {
            throw new SQLException("a race needs connections of the PostgreSQL JDBC driver, this one is a "
                    + connection.getClass().getName());
        }
        return new DriverSession(connection.unwrap(BaseConnection.class));
    }

    int backend() {
        return backend;
    }

    /** Whether the driver sets savepoints by itself, one for each call. */
    boolean savesAutomatically() {
        return driver.getAutosave() != AutoSave.NEVER;
    }

    /** Whether the driver may send statements by the simple protocol, in which each is a transaction in auto-commit mode. */
    boolean mayQuerySimply() {
        PreferQueryMode mode = driver.getPreferQueryMode();
        return mode == PreferQueryMode.SIMPLE || mode == PreferQueryMode.EXTENDED_FOR_PREPARED;
    }

    /** Who used it last: connections of a pool go from one actor to another. */
    @Nullable
    JavaProgram owner() {
        return owner;
    }

    void usedBy(JavaProgram program) {
        owner = program;
    }

    /** Whether a transaction is open, be it a failed one. */
    boolean inTransaction() {
        return driver.getTransactionState() != TransactionState.IDLE;
    }

    /** Whether the transaction that is open has failed: the server has undone it, or the part of it behind a savepoint. */
    boolean hasFailed() {
        return driver.getTransactionState() == TransactionState.FAILED;
    }

    /**
     * Says whether its next statement may close a cycle of waits, as in {@link Program#mayDeadlock}, and asks for the isolation
     * level. Both in one message, and neither begins a transaction nor takes a snapshot. Said anew before every step, because
     * whatever the actor did last may have taken the setting back.
     */
    Touch.Level steer(boolean mayDeadlock) {
        if (driver.getTransactionState() == TransactionState.FAILED) {
            // Nothing can be said to it, and nothing that it can do now waits.
            return Touch.Level.SERIALIZABLE;
        }
        try (ResultSet level = driver.execSQLQuery(
                "SET deadlock_timeout = " + (mayDeadlock ? "'1ms'" : "'1h'") + "; SHOW transaction_isolation")) {
            level.next();
            return level(level.getString(1));
        } catch (SQLException e) {
            throw new RaceException(
                    "deadlock_timeout cannot be set on an actor's connection, which a superuser may: " + e.getMessage(),
                    e);
        }
    }

    private static Touch.Level level(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "read committed", "read uncommitted" -> Touch.Level.READ_COMMITTED;
            case "repeatable read" -> Touch.Level.REPEATABLE_READ;
            default -> Touch.Level.SERIALIZABLE;
        };
    }

    /** Takes back what {@link #steer} has set, for whoever uses the connection after the race. */
    void unsteer() throws SQLException {
        if (!driver.isClosed() && !inTransaction()) {
            driver.execSQLUpdate("RESET deadlock_timeout");
        }
    }

    /** Ends the transaction that is open, if one is. */
    void rollBack() throws SQLException {
        if (!driver.isClosed() && inTransaction()) {
            driver.execSQLUpdate("ROLLBACK");
        }
    }
}
