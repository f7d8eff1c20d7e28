package dev.rowlock;

import dev.rowlock.RowlockListener.FailedAttempt;
import dev.rowlock.RowlockListener.OuterEnded;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Runs a unit of work inside a transaction that somebody else owns: no attempt, commit or rollback of its own. */
final class JoinedUnit {
    private final DataSource dataSource;
    private final Settings settings;
    private final OuterTransaction outer;

    JoinedUnit(DataSource dataSource, Settings settings, OuterTransaction outer) {
        this.dataSource = dataSource;
        this.settings = settings;
        this.outer = outer;
    }

    <T extends @Nullable Object, X extends Exception> T run(TxFunction<T, X> work) throws X {
        try {
            TxScope scope = join();
            T value = runIn(scope, work);
            if (!scope.afterCommit().isEmpty()) {
                outer.afterCommit(() -> UnitOfWork.runAfterCommit(settings, scope.afterCommit()));
            }
            return value;
        } catch (Throwable failure) {
            outer.markRollbackOnly(failure);
            if (SqlStates.isRetryable(failure)) {
                throw notRunAgain(failure);
            }
            throw failure;
        } finally {
            outer.close();
        }
    }

    private <T extends @Nullable Object, X extends Exception> T runIn(TxScope scope, TxFunction<T, X> work) throws X {
        T value;
        try {
            value = UnitOfWork.callIn(dataSource, scope, work);
        } finally {
            tellOfTheEnd(scope.lockHoldNanos());
        }
        Throwable why = scope.whyNotCommit();
        if (why != null) {
            throw UnitOfWork.swallowed(why, settings);
        }
        return value;
    }

    /** What it has locked is held until the transaction ends, long after this unit of work. */
    private void tellOfTheEnd(long heldNanos) {
        if (heldNanos > 0) {
            long heldSince = settings.nanoTime().getAsLong() - heldNanos;
            outer.atEnd(outcome -> {
                OuterEnded ended = new OuterEnded(outcome, settings.nanoTime().getAsLong() - heldSince);
                settings.listener().tell(listener -> listener.onOuterEnded(ended));
            });
        }
    }

    /** The limits go with the first statement and are gone with the transaction, whoever ends it. */
    private TxScope join() {
        try {
            Connection connection = outer.connection();
            requireSupported(connection.getMetaData());
            requireIsolation(connection);
            return new TxScope(connection, settings, outer);
        } catch (SQLException e) {
            throw SqlErrors.translate("joining the open transaction", null, false, e);
        }
    }

    /** Asks the driver, which was told when it connected, so it costs no round trip. */
    private static void requireSupported(DatabaseMetaData server) throws SQLException {
        SessionLimits.requireSupported(
                server.getDatabaseProductName(), server.getDatabaseProductVersion(), server.getDatabaseMajorVersion());
    }

    /** Every level keeps what the weakest one promises, so only for more does the server have to be asked. */
    private void requireIsolation(Connection connection) throws SQLException {
        if (settings.isolation() != Isolation.READ_COMMITTED) {
            settings.requireLevelOf(Isolation.ofJdbc(connection.getTransactionIsolation()));
        }
    }

    private TransactionConflictException notRunAgain(Throwable failure) {
        String state = SqlStates.conflict(failure).orElse("");
        settings.listener().tell(listener -> listener.onFailedAttempt(new FailedAttempt(1, state, null)));
        return new TransactionConflictException(
                "the transaction lost to another one (SQLSTATE " + state
                        + ") and was not run again, because this unit of"
                        + " work is a part of a transaction that was opened outside of Rowlock: whoever opened it must run"
                        + " the whole of it again (" + failure.getMessage() + ")",
                failure);
    }
}
