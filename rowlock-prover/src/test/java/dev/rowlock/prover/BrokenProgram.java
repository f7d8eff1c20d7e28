package dev.rowlock.prover;

import static dev.rowlock.prover.Jdbc.inTransaction;
import static dev.rowlock.prover.Jdbc.number;
import static dev.rowlock.prover.Jdbc.update;
import static java.sql.Connection.TRANSACTION_REPEATABLE_READ;

import dev.rowlock.prover.engine.Verdict.Anomaly;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;

/** A program as it is found in the wild, broken in one way, beside the one that repairs it. */
interface BrokenProgram {
    /** What both actors run. */
    @FunctionalInterface
    interface Code {
        /** Does it; returns what its caller is told. {@code who} is 1 or 2. */
        Object run(DataSource database, int who) throws SQLException;
    }

    /** The version is not the expected one, so nothing was done. */
    final class Stale extends RuntimeException {}

    /** What goes wrong. */
    Anomaly anomaly();

    Code broken();

    Code fixed();

    static int balance(Connection connection) throws SQLException {
        return number(connection, "SELECT balance FROM wallet WHERE id = 1");
    }

    static int lockedBalance(Connection connection) throws SQLException {
        return number(connection, "SELECT balance FROM wallet WHERE id = 1 FOR UPDATE");
    }

    static int setBalance(Connection connection, int balance) throws SQLException {
        update(connection, "UPDATE wallet SET balance = ? WHERE id = 1", balance);
        return balance;
    }

    static int takeTen(Connection connection) throws SQLException {
        return setBalance(connection, balance(connection) - 10);
    }

    /** At REPEATABLE READ, and again if that is aborted. */
    static <T> T retried(DataSource database, Jdbc.Work<T> work) throws SQLException {
        int mostAttempts = 3;
        for (int attempt = 1; ; attempt++) {
            try {
                return inTransaction(database, TRANSACTION_REPEATABLE_READ, work);
            } catch (SQLException e) {
                if (attempt == mostAttempts || !isAbort(e)) {
                    throw e;
                }
            }
        }
    }

    static boolean isAbort(SQLException e) {
        return Set.of("40001", "40P01").contains(e.getSQLState());
    }
}
