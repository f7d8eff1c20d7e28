package dev.rowlock;

import dev.rowlock.RowlockListener.FailedAttempt;
import dev.rowlock.RowlockListener.Finished;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one outermost unit of work: attempts, commit, after-commit work. Every way out of a transaction is in this file. */
final class UnitOfWork {
    private static final Logger LOG = LoggerFactory.getLogger(Rowlock.class);
    private static final int VALIDITY_CHECK_SECONDS = 5;

    private final DataSource dataSource;
    private final Settings settings;
    /** Whether its one statement commits by itself, which saves the round trip of COMMIT. */
    private final boolean alone;

    private int attempt;
    private long lockHoldNanos;

    UnitOfWork(DataSource dataSource, Settings settings) {
        this(dataSource, settings, false);
    }

    private UnitOfWork(DataSource dataSource, Settings settings, boolean alone) {
        this.dataSource = dataSource;
        this.settings = settings;
        this.alone = alone;
    }

    /**
     * For work that sends one statement that writes, and perhaps others that read after it. Where something must be sent before
     * it (another isolation level, limits for the transaction) it is an ordinary transaction all the same.
     */
    static UnitOfWork alone(DataSource dataSource, Settings settings) {
        return new UnitOfWork(dataSource, settings, !settings.readOnly());
    }

    <T extends @Nullable Object, X extends Exception> T run(TxFunction<T, X> work) throws X {
        long begin = settings.nanoTime().getAsLong();
        settings.listener().tell(RowlockListener::onStarted);
        Committed<T> committed;
        try {
            committed = attempts(work, begin);
        } catch (Throwable failure) {
            finished(begin, Optional.of(failure));
            throw failure;
        }
        finished(begin, Optional.empty());
        runAfterCommit(settings, committed.afterCommit());
        return committed.value();
    }

    private record Committed<T extends @Nullable Object>(T value, List<Runnable> afterCommit) {}

    private <T extends @Nullable Object, X extends Exception> Committed<T> attempts(TxFunction<T, X> work, long begin)
            throws X {
        Settings.Retries retries = settings.retries();
        List<Throwable> failures = new ArrayList<>();
        while (true) {
            attempt++;
            try {
                return attempt(work);
            } catch (Throwable failure) {
                if (!retries.covers(failure)) {
                    failures.forEach(earlier -> addSuppressed(failure, earlier));
                    throw failure;
                }
                failures.add(failure);
                Duration delay = retries.delayAfter(attempt);
                Duration elapsed = Duration.ofNanos(settings.nanoTime().getAsLong() - begin);
                boolean last = attempt >= retries.maxAttempts();
                boolean late = elapsed.plus(delay).compareTo(retries.budget()) > 0;
                tellFailed(failure, last || late ? null : delay);
                if (last || late) {
                    throw exhausted(failures, last, retries);
                }
                pause(delay, failures);
            }
        }
    }

    private RowlockException exhausted(List<Throwable> failures, boolean last, Settings.Retries retries) {
        return new RetriesExhaustedException(
                failures,
                last
                        ? "maxAttempts is " + retries.maxAttempts()
                        : "the next one would begin after the retry budget of "
                                + retries.budget().toMillis() + " ms");
    }

    private void pause(Duration delay, List<Throwable> failures) {
        try {
            settings.sleeper().sleep(delay);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            TransactionInterruptedException interrupted =
                    new TransactionInterruptedException("interrupted while waiting for attempt " + (attempt + 1), e);
            failures.forEach(interrupted::addSuppressed);
            throw interrupted;
        }
    }

    private <T extends @Nullable Object, X extends Exception> Committed<T> attempt(TxFunction<T, X> work) throws X {
        Borrowed borrowed = borrow();
        TxScope scope = borrowed.scope();
        T value;
        try {
            value = callIn(dataSource, scope, work);
            Throwable why = scope.whyNotCommit();
            if (why != null) {
                throw swallowed(why, settings);
            }
        } catch (Throwable failure) {
            lockHoldNanos = scope.lockHoldNanos();
            if (borrowed.alone()) {
                giveBack(borrowed, true, failure);
                requireKnown(failure);
            } else {
                rollBack(borrowed, failure);
            }
            throw failure;
        }
        if (borrowed.alone()) {
            giveBack(borrowed, true, null);
        } else {
            commit(borrowed);
        }
        return new Committed<>(value, scope.afterCommit());
    }

    static <T extends @Nullable Object, X extends Exception> T callIn(
            DataSource dataSource, TxScope scope, TxFunction<T, X> work) throws X {
        Tx tx = new Tx(scope, !scope.isPartOf(null));
        TxScope before = scope.bind(dataSource);
        try {
            return work.apply(tx);
        } finally {
            tx.end();
            TxScope.unbind(dataSource, before);
        }
    }

    /** The function returned as if all was well, but something in it had failed and been caught. */
    static RuntimeException swallowed(Throwable why, Settings settings) {
        if (why instanceof RowlockException known && settings.retries().covers(why)) {
            return known;
        }
        return new IllegalStateException(
                "the transaction was rolled back: something in it failed and the error was caught, but the failure stands ("
                        + why.getMessage() + "); let the error pass, or work with a savepoint",
                why);
    }

    /** A statement that commits by itself and whose answer was lost may have done so; there is no transaction id to ask for. */
    private static void requireKnown(Throwable failure) {
        if (SqlStates.isConnectionLost(failure)) {
            throw new CommitUnknownException(
                    "the connection broke while a statement was under way that commits by itself; look at the data before"
                            + " trying again (" + failure.getMessage() + ")",
                    null,
                    failure);
        }
    }

    /**
     * A connection lent by the data source, with the modes to give it back in.
     *
     * @param alone whether it is left in auto-commit mode
     */
    private record Borrowed(
            Connection connection, TxScope scope, boolean autoCommit, boolean readOnly, boolean alone) {}

    private Borrowed borrow() {
        if (Thread.currentThread().isInterrupted()) {
            throw new TransactionInterruptedException("not begun because the thread is interrupted", null);
        }
        Connection connection;
        try {
            connection = dataSource.getConnection();
        } catch (SQLException e) {
            if (Thread.currentThread().isInterrupted() || e.getCause() instanceof InterruptedException) {
                Thread.currentThread().interrupt();
                throw new TransactionInterruptedException("interrupted while waiting for a connection", e);
            }
            throw new ConnectionLostException("no connection could be had: " + e.getMessage(), e);
        }
        try {
            boolean autoCommit = connection.getAutoCommit();
            boolean readOnly = connection.isReadOnly();
            if (!autoCommit) {
                connection.setAutoCommit(true);
            }
            SessionLimits.Ready ready = SessionLimits.prepare(connection, settings);
            connection.setReadOnly(settings.readOnly());
            boolean single = alone && ready.prefix().isEmpty();
            if (!single) {
                connection.setAutoCommit(false);
            }
            return new Borrowed(
                    connection, new TxScope(connection, settings, ready, single), autoCommit, readOnly, single);
        } catch (SQLException e) {
            RowlockException error = SqlErrors.translate("making the connection ready", null, false, e);
            close(connection, error);
            throw error;
        } catch (RuntimeException e) {
            close(connection, e);
            throw e;
        }
    }

    private void commit(Borrowed borrowed) {
        TxScope scope = borrowed.scope();
        // From here on an interrupt comes too late: the outcome is the server's, and asking for it needs the thread.
        boolean interrupted = Thread.interrupted();
        try {
            scope.commit();
        } catch (SQLException | RuntimeException e) {
            lockHoldNanos = scope.lockHoldNanos();
            commitFailed(borrowed, e instanceof SQLException sql ? sql : new SQLException("COMMIT failed", e));
            return;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        lockHoldNanos = scope.lockHoldNanos();
        giveBack(borrowed, true, null);
    }

    /** Returns only if the transaction is committed all the same. */
    private void commitFailed(Borrowed borrowed, SQLException e) {
        if (SqlStates.isRolledBackAtCommit(e) || isAnswerOfTheServer(e, borrowed.connection())) {
            RowlockException known = SqlErrors.translate("commit", null, false, e);
            RuntimeException error = SqlStates.isInFailedTransaction(e) ? swallowed(known, settings) : known;
            rollBack(borrowed, error);
            throw error;
        }
        // The broken connection goes back first, so that asking never waits for a second one while holding one.
        giveBack(borrowed, false, e);
        if (borrowed.scope().xid() == null && settings.readOnly()) {
            throw new ConnectionLostException("the connection broke during COMMIT of a read-only transaction", e);
        }
        new CommitCheck(dataSource, settings, borrowed.scope().serverRun())
                .requireCommitted(borrowed.scope().xid(), e);
    }

    /**
     * An error that the server itself answered has a SQLSTATE and leaves the connection usable, and the transaction rolled back.
     * What a wrapper of the driver throws may come after a COMMIT that was done.
     */
    private static boolean isAnswerOfTheServer(SQLException e, Connection connection) {
        return e.getSQLState() != null && !SqlStates.isConnectionLost(e) && isAlive(connection);
    }

    private static boolean isAlive(Connection connection) {
        try {
            return connection.isValid(VALIDITY_CHECK_SECONDS);
        } catch (SQLException e) {
            LOG.debug("the connection cannot be checked, so it counts as broken", e);
            return false;
        }
    }

    /** A rollback that fails never hides why there is one; the server rolls back when the session ends. */
    private void rollBack(Borrowed borrowed, Throwable failure) {
        boolean interrupted = Thread.interrupted();
        boolean ended = false;
        try {
            borrowed.connection().rollback();
            ended = true;
        } catch (SQLException | RuntimeException e) {
            addSuppressed(failure, e);
        } finally {
            giveBack(borrowed, ended, failure);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Gives the connection back in the modes in which it came. If its transaction may still be open the modes stay as they are,
     * because switching auto-commit on commits it; closing rolls it back, and whoever lent the connection resets it.
     */
    private static void giveBack(Borrowed borrowed, boolean ended, @Nullable Throwable failure) {
        Connection connection = borrowed.connection();
        try {
            if (ended) {
                if (borrowed.autoCommit() != borrowed.alone()) {
                    connection.setAutoCommit(borrowed.autoCommit());
                }
                connection.setReadOnly(borrowed.readOnly());
            }
        } catch (SQLException | RuntimeException e) {
            if (failure == null) {
                LOG.warn("committed, but the connection's modes could not be set back", e);
            } else {
                addSuppressed(failure, e);
            }
        } finally {
            close(connection, failure);
        }
    }

    private static void close(Connection connection, @Nullable Throwable failure) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            if (failure == null) {
                LOG.warn("committed, but the connection could not be given back", e);
            } else {
                addSuppressed(failure, e);
            }
        }
    }

    private static void addSuppressed(Throwable failure, Throwable second) {
        if (failure != second) {
            failure.addSuppressed(second);
        }
    }

    private void tellFailed(Throwable failure, @Nullable Duration retryAfter) {
        String state = SqlStates.conflict(failure).orElse("");
        LOG.debug("attempt {} was rolled back ({}), next one after {}", attempt, state, retryAfter, failure);
        settings.listener().tell(listener -> listener.onFailedAttempt(new FailedAttempt(attempt, state, retryAfter)));
    }

    private void finished(long begin, Optional<Throwable> failure) {
        Finished finished = new Finished(
                failure.isEmpty(), attempt, settings.nanoTime().getAsLong() - begin, lockHoldNanos, failure);
        settings.listener().tell(listener -> listener.onFinished(finished));
    }

    static void runAfterCommit(Settings settings, List<Runnable> tasks) {
        for (Runnable task : tasks) {
            try {
                task.run();
            } catch (Throwable failure) {
                LOG.error("work after the commit failed; the commit stands", failure);
                settings.listener().tell(listener -> listener.onAfterCommitFailure(failure));
            }
        }
    }
}
