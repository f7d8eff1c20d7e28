package dev.rowlock.prover;

import static dev.rowlock.prover.BrokenProgram.lockedBalance;
import static dev.rowlock.prover.BrokenProgram.retried;
import static dev.rowlock.prover.BrokenProgram.setBalance;
import static dev.rowlock.prover.Jdbc.autoCommit;
import static dev.rowlock.prover.Jdbc.inTransaction;
import static dev.rowlock.prover.Jdbc.number;
import static dev.rowlock.prover.Jdbc.update;
import static java.sql.Connection.TRANSACTION_REPEATABLE_READ;

import dev.rowlock.prover.engine.Verdict.Anomaly;
import java.sql.Connection;
import java.sql.SQLException;

/** Changes of a row that is there. */
@SuppressWarnings("ImmutableEnumChecker")
enum BrokenChange implements BrokenProgram {
    /** What was read without a transaction may be another's by the time the transaction begins that writes it. */
    READ_BEFORE_THE_TRANSACTION(
            Anomaly.LOST_UPDATE,
            (database, who) -> {
                int balance = autoCommit(database, BrokenProgram::balance);
                return inTransaction(database, connection -> setBalance(connection, balance - 10));
            },
            (database, who) -> inTransaction(database, BrokenChange::takeLocked)),

    /** The next attempt writes what was read for the first one. */
    RETRY_OF_THE_WRITE_ALONE(
            Anomaly.LOST_UPDATE,
            (database, who) -> {
                int balance = autoCommit(database, BrokenProgram::balance);
                return retried(database, connection -> setBalance(connection, balance - 10));
            },
            (database, who) -> retried(database, BrokenProgram::takeTen)),

    /** The abort is caught, and the caller told that it is paid. */
    SWALLOWED_ABORT(
            Anomaly.NON_SERIALIZABLE,
            (database, who) -> {
                try {
                    inTransaction(database, TRANSACTION_REPEATABLE_READ, BrokenProgram::takeTen);
                } catch (SQLException e) {
                    if (!BrokenProgram.isAbort(e)) {
                        throw e;
                    }
                }
                return "paid";
            },
            (database, who) -> {
                retried(database, BrokenProgram::takeTen);
                return "paid";
            }),

    /** One of the two does not lock, and so waits for the other's lock only when it writes. */
    LOCK_ON_ONE_OF_TWO_PATHS(
            Anomaly.LOST_UPDATE,
            (database, who) -> inTransaction(database, who == 1 ? BrokenChange::takeLocked : BrokenProgram::takeTen),
            (database, who) -> inTransaction(database, BrokenChange::takeLocked)),

    /** The lock is the transaction's of a second connection, and gone with it before the row is written. */
    LOCK_OF_ANOTHER_TRANSACTION(
            Anomaly.LOST_UPDATE,
            (database, who) -> inTransaction(database, connection -> {
                int balance = inTransaction(database, BrokenProgram::lockedBalance);
                return setBalance(connection, balance - 10);
            }),
            (database, who) -> inTransaction(database, BrokenChange::takeLocked)),

    /** The lock keeps the others out, but not from what this one had read on a second connection before. */
    LOCK_BESIDE_AN_OLDER_READ(
            Anomaly.LOST_UPDATE,
            (database, who) -> inTransaction(database, TRANSACTION_REPEATABLE_READ, reader -> {
                int balance = BrokenProgram.balance(reader);
                return inTransaction(database, writer -> {
                    lockedBalance(writer);
                    return setBalance(writer, balance - 10);
                });
            }),
            (database, who) -> inTransaction(database, writer -> {
                lockedBalance(writer);
                int balance = autoCommit(database, BrokenProgram::balance);
                return setBalance(writer, balance - 10);
            })),

    /** The next one reads after the unlock and before the commit. */
    UNLOCK_BEFORE_THE_COMMIT(
            Anomaly.LOST_UPDATE,
            (database, who) -> inTransaction(database, connection -> {
                number(connection, "SELECT 1 FROM pg_advisory_lock(1)");
                int left = BrokenProgram.takeTen(connection);
                number(connection, "SELECT 1 FROM pg_advisory_unlock(1)");
                return left;
            }),
            (database, who) -> inTransaction(database, connection -> {
                number(connection, "SELECT 1 FROM pg_advisory_xact_lock(1)");
                return BrokenProgram.takeTen(connection);
            })),

    /** The version belongs to the moment of the write, and not to the stock that the writer had seen. */
    VERSION_READ_FOR_THE_WRITE(
            Anomaly.LOST_UPDATE,
            (database, who) -> autoCommit(database, connection -> {
                int stock = number(connection, "SELECT stock FROM product WHERE id = 7");
                int version = number(connection, "SELECT version FROM product WHERE id = 7");
                return soldUnlessStale(setStock(connection, stock - 1, version));
            }),
            (database, who) -> autoCommit(database, connection -> soldUnlessStale(takeFromStock(connection)))),

    /** The version stops the second update, and nobody asks how many rows it changed. */
    IGNORED_ROW_COUNT(
            Anomaly.LOST_UPDATE,
            (database, who) -> inTransaction(database, connection -> {
                takeFromStock(connection);
                return "sold";
            }),
            (database, who) -> inTransaction(database, connection -> soldUnlessStale(takeFromStock(connection))));

    private final Anomaly anomaly;
    private final Code broken;
    private final Code fixed;

    BrokenChange(Anomaly anomaly, Code broken, Code fixed) {
        this.anomaly = anomaly;
        this.broken = broken;
        this.fixed = fixed;
    }

    @Override
    public Anomaly anomaly() {
        return anomaly;
    }

    @Override
    public Code broken() {
        return broken;
    }

    @Override
    public Code fixed() {
        return fixed;
    }

    private static int takeLocked(Connection connection) throws SQLException {
        return setBalance(connection, lockedBalance(connection) - 10);
    }

    private static int takeFromStock(Connection connection) throws SQLException {
        int version = number(connection, "SELECT version FROM product WHERE id = 7");
        return setStock(connection, number(connection, "SELECT stock FROM product WHERE id = 7") - 1, version);
    }

    private static int setStock(Connection connection, int stock, int version) throws SQLException {
        return update(
                connection,
                "UPDATE product SET stock = ?, version = version + 1 WHERE id = 7 AND version = ?",
                stock,
                version);
    }

    private static String soldUnlessStale(int rows) {
        if (rows == 0) {
            throw new BrokenProgram.Stale();
        }
        return "sold";
    }
}
