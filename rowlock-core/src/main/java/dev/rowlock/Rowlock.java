package dev.rowlock;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Safe concurrent writes to one PostgreSQL database (14 or newer). Immutable and thread-safe: make one per database and keep it.
 *
 * <pre>{@code
 * Rowlock rowlock = Rowlock.over(dataSource);
 * Table wallets = Table.of("wallet", "id");
 *
 * long left = rowlock.withLock(wallets, 7, (tx, wallet) -> {          // locks the row, then hands it out
 *     if (wallet.getLong("balance") < 80) throw new NotEnoughMoney();
 *     return tx.update(wallets, 7).add("balance", -80).apply().orThrow().getLong("balance");
 * });
 * }</pre>
 *
 * <p><b>A unit of work</b> is one transaction: it commits when the function returns and rolls back when it throws. If it loses to
 * another transaction (SQLSTATE 40001 or 40P01) the <em>whole function</em> is run again in a new one, after a random wait. So it
 * must have no effects outside the database; those belong into {@link Tx#afterCommit}.
 *
 * <p><b>Called inside itself</b> on the same thread, over the same data source, a unit of work joins the transaction that is open:
 * it never waits for a second connection while it holds one. Limits, retries, commit and after-commit work then belong to the
 * outermost call. If a joined function throws, the whole transaction can only roll back.
 *
 * <p><b>Limits</b> are always on: see {@link Builder} for each one's default. They are set once on each physical connection and
 * stay there, so others who share the pool have them too.
 *
 * <p>What any of the methods that run a unit of work throw, besides what the function itself throws:
 * {@link RetriesExhaustedException}, {@link CommitUnknownException}, {@link ConnectionLostException},
 * {@link TransactionInterruptedException}, {@link DatabaseException} (a deferred constraint at commit),
 * {@link UnsupportedDatabaseException}; and {@link IllegalStateException} if an error inside was caught and the transaction could
 * therefore only roll back.
 */
public final class Rowlock {
    private final DataSource dataSource;
    private final Settings settings;
    private final Map<Table, Boolean> uniqueKeys;

    private Rowlock(DataSource dataSource, Settings settings) {
        this(dataSource, settings, new ConcurrentHashMap<>());
    }

    private Rowlock(DataSource dataSource, Settings settings, Map<Table, Boolean> uniqueKeys) {
        this.dataSource = dataSource;
        this.settings = settings;
        this.uniqueKeys = uniqueKeys;
    }

    private Rowlock with(Settings changed) {
        return new Rowlock(dataSource, changed, uniqueKeys);
    }

    /** A Rowlock with all defaults. Does not connect yet; the database is checked with the first connection. */
    public static Rowlock over(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /** Begins a Rowlock with other limits. */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /** The same, with transactions at this isolation level. */
    public Rowlock withIsolation(Isolation level) {
        return with(settings.withIsolation(level));
    }

    /** The same, with transactions that the database itself keeps from writing and locking. */
    public Rowlock readOnly() {
        return with(settings.withReadOnly());
    }

    /**
     * The same, with this many attempts.
     *
     * @param attempts from 1 to 100, the first one included: 1 never runs the function again
     */
    public Rowlock withMaxAttempts(int attempts) {
        return with(settings.withRetries(settings.retries().withMaxAttempts(attempts)));
    }

    /** Whether this thread has a transaction open over the same data source that {@link #call} would join. */
    public boolean isInUnitOfWork() {
        return outer() != null || open(null) != null;
    }

    /** Runs a unit of work and returns its result once it is committed. */
    public <T extends @Nullable Object, X extends Exception> T call(TxFunction<T, X> work) throws X {
        return run(new UnitOfWork(dataSource, settings), work);
    }

    /** Runs a unit of work without a result. */
    public <X extends Exception> void run(TxAction<X> work) throws X {
        this.<Boolean, X>call(tx -> {
            work.run(tx);
            return Boolean.TRUE;
        });
    }

    /**
     * Locks one row with {@link Lock#forNoKeyUpdate()} and runs a unit of work on it.
     *
     * @throws MissingRowException if there is no such row; nothing is run then
     * @throws LockTimeoutException if another transaction holds it for longer than the lock timeout
     */
    public <T extends @Nullable Object, X extends Exception> T withLock(
            Table table, Object key, LockFunction<Row, T, X> work) throws X {
        return withLock(table, key, Lock.forNoKeyUpdate(), work);
    }

    /** As {@link #withLock(Table, Object, LockFunction)}, with the lock given. */
    public <T extends @Nullable Object, X extends Exception> T withLock(
            Table table, Object key, Lock lock, LockFunction<Row, T, X> work) throws X {
        return call(tx -> work.apply(tx, tx.lock(table, key, lock)));
    }

    /** As {@link #withLock(Table, Object, LockFunction)}, without a result. */
    public <X extends Exception> void runWithLock(Table table, Object key, LockAction<Row, X> work) throws X {
        run(tx -> work.run(tx, tx.lock(table, key)));
    }

    /**
     * Locks any number of rows with {@link Lock#forNoKeyUpdate()}, always in key order and in one statement, and runs a unit of
     * work on them: two calls for the same rows in opposite order cannot deadlock.
     *
     * @throws MissingRowException if one of them is not there, naming it; nothing is run then
     * @throws LockTimeoutException if another transaction holds one of them for longer than the lock timeout
     * @throws TooManyRowsException if there are more distinct keys than the row limit allows
     */
    public <T extends @Nullable Object, X extends Exception> T withLocks(
            Table table, Iterable<?> keys, LockFunction<Rows, T, X> work) throws X {
        return withLocks(table, keys, Lock.forNoKeyUpdate(), work);
    }

    /** As {@link #withLocks(Table, Iterable, LockFunction)}, with the lock given. */
    public <T extends @Nullable Object, X extends Exception> T withLocks(
            Table table, Iterable<?> keys, Lock lock, LockFunction<Rows, T, X> work) throws X {
        return call(tx -> work.apply(tx, tx.lockAll(table, keys, lock)));
    }

    /** As {@link #withLocks(Table, Iterable, LockFunction)}, without a result. */
    public <X extends Exception> void runWithLocks(Table table, Iterable<?> keys, LockAction<Rows, X> work) throws X {
        run(tx -> work.run(tx, tx.lockAll(table, keys)));
    }

    /**
     * Begins a guarded change of one row that is a unit of work by itself: it is committed when {@link Update#apply} returns, and
     * costs one round trip instead of the two of {@link #call} with {@link Tx#update}. Inside an open unit of work it joins that.
     *
     * <p>If the connection breaks before the answer is there, this is a {@link CommitUnknownException} without a transaction id. With
     * limits per transaction, another isolation level than the server's default, or {@link #readOnly()}, it is an ordinary
     * transaction and costs what that costs.
     */
    public Update update(Table table, Object key) {
        return new Update(
                new Update.Sender() {
                    @Override
                    public void check() {}

                    @Override
                    public Write send(GuardedUpdate update) {
                        Optional<Write> result =
                                isKeyUnique(table) ? alone(tx -> update.applyAlone(tx, tx.scope())) : Optional.empty();
                        return result.orElseGet(() -> call(tx -> update.applyIn(tx, tx.scope())));
                    }
                },
                table,
                table.keyOf(key));
    }

    /**
     * Runs one statement of the program's own as a unit of work by itself, in one round trip; see {@link #update} for what that means
     * and {@link Tx#query} for the rest.
     */
    public List<Row> query(String sql, @Nullable Object... values) {
        return alone(tx -> tx.query(sql, values));
    }

    /** As {@link #query(String, Object...)}; the rows it returns are rows of this table. See {@link Tx#query(Table, String, Object...)}. */
    public List<Row> query(Table table, String sql, @Nullable Object... values) {
        return alone(tx -> tx.query(table, sql, values));
    }

    /** As {@link #query}; returns how many rows the statement changed, or returned. */
    @CheckReturnValue
    public int execute(String sql, @Nullable Object... values) {
        return alone(tx -> tx.execute(sql, values));
    }

    /**
     * A statement that commits by itself cannot be taken back when it turns out to have changed two rows, so it is used only where an
     * index rules that out. Looked up once for each table.
     */
    private boolean isKeyUnique(Table table) {
        return isInUnitOfWork()
                || uniqueKeys.computeIfAbsent(table, unknown -> readOnly().call(UniqueKey.of(table)));
    }

    private <T, X extends Exception> T alone(TxFunction<T, X> work) throws X {
        return run(UnitOfWork.alone(dataSource, settings), work);
    }

    /** Joins the innermost transaction that is open in this thread, or else runs the unit. */
    private <T extends @Nullable Object, X extends Exception> T run(UnitOfWork unit, TxFunction<T, X> work) throws X {
        OuterTransaction outer = outer();
        TxScope open = open(outer);
        if (open != null) {
            return join(open, work);
        }
        return outer == null ? unit.run(work) : new JoinedUnit(dataSource, settings, outer).run(work);
    }

    private @Nullable OuterTransaction outer() {
        return settings.outer().current().orElse(null);
    }

    /**
     * The unit of work that is open in this thread. One that belongs to a transaction which its owner has suspended is not, and one
     * inside of which somebody has opened a transaction of his own is not the innermost.
     */
    private @Nullable TxScope open(@Nullable OuterTransaction outer) {
        TxScope open = TxScope.current(dataSource);
        return open != null && open.isPartOf(outer) ? open : null;
    }

    private <T extends @Nullable Object, X extends Exception> T join(TxScope open, TxFunction<T, X> work) throws X {
        settings.requireLevelOf(open.settings().isolation());
        Tx tx = new Tx(open, true);
        try {
            return work.apply(tx);
        } catch (Throwable failure) {
            open.doom(failure);
            throw failure;
        } finally {
            tx.end();
        }
    }

    /** Collects the limits of a {@link Rowlock}. Every duration is from 1 ms to 24 h, in whole milliseconds. */
    public static final class Builder {
        private static final int MOST_ROWS = 100_000;

        private final DataSource dataSource;
        private Duration lockTimeout = Limits.DEFAULT.lock();
        private Duration statementTimeout = Limits.DEFAULT.statement();
        private Duration idleInTransactionTimeout = Limits.DEFAULT.idleInTransaction();
        private boolean limitsPerTransaction;
        private int maxRows = 100;
        private int maxAttempts = 5;
        private Duration retryBaseDelay = Duration.ofMillis(10);
        private Duration retryMaxDelay = Duration.ofSeconds(1);
        private Duration retryBudget = Duration.ofSeconds(10);
        private boolean retryLockTimeouts;
        private Duration commitCheckLimit = Duration.ofSeconds(10);
        private Isolation isolation = Isolation.READ_COMMITTED;
        private boolean pipelining = true;
        private RowlockListener listener = RowlockListener.NONE;
        private TransactionSource joining = TransactionSource.NONE;
        private LongSupplier nanoTime = System::nanoTime;
        private Sleeper sleeper = Sleeper.SYSTEM;
        private DoubleSupplier random = () -> ThreadLocalRandom.current().nextDouble();

        private Builder(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        /** How long a statement waits for one lock: 2 s by default. Must not be longer than the statement timeout. */
        public Builder lockTimeout(Duration limit) {
            this.lockTimeout = limit;
            return this;
        }

        /** How long a statement may take, waiting included: 15 s by default. */
        public Builder statementTimeout(Duration limit) {
            this.statementTimeout = limit;
            return this;
        }

        /**
         * How long a transaction may stand idle between two statements, holding its locks: 30 s by default. After that the server
         * ends the session and rolls back.
         */
        public Builder idleInTransactionTimeout(Duration limit) {
            this.idleInTransactionTimeout = limit;
            return this;
        }

        /**
         * Sets the limits in each transaction instead of once for each connection: for databases behind a pooler in transaction
         * mode (PgBouncer), where a connection is not a session. They ride along with the first statement and are gone with the
         * transaction, so others who share the pool do not have them. Off by default.
         */
        public Builder limitsPerTransaction(boolean on) {
            this.limitsPerTransaction = on;
            return this;
        }

        /** How many rows one request may lock: 100 by default, at most 100,000. */
        public Builder maxRows(int rows) {
            this.maxRows = rows;
            return this;
        }

        /** How many times a function is run at most, the first one included: 5 by default, from 1 to 100. */
        public Builder maxAttempts(int attempts) {
            this.maxAttempts = attempts;
            return this;
        }

        /**
         * Bounds of the random wait before the next attempt: from nothing to {@code base} (10 ms by default) before the second,
         * doubled for each one after it, never more than {@code max} (1 s by default).
         */
        public Builder retryDelay(Duration base, Duration max) {
            this.retryBaseDelay = base;
            this.retryMaxDelay = max;
            return this;
        }

        /** No attempt begins later than this after the first one: 10 s by default. */
        public Builder retryBudget(Duration budget) {
            this.retryBudget = budget;
            return this;
        }

        /** Whether a lock that was not to be had (55P03) is worth another attempt: not by default. */
        public Builder retryLockTimeouts(boolean on) {
            this.retryLockTimeouts = on;
            return this;
        }

        /** How long to ask for the outcome when the connection breaks during COMMIT: 10 s by default. */
        public Builder commitCheckLimit(Duration limit) {
            this.commitCheckLimit = limit;
            return this;
        }

        /** The isolation level of transactions: READ COMMITTED by default, whatever the server's default is. */
        public Builder isolation(Isolation level) {
            this.isolation = level;
            return this;
        }

        /**
         * Whether statements that always follow each other are sent in one round trip; see {@link Tx#queryInOrder}. On by default. Off,
         * each is sent by itself, and a prover can let other transactions come in between, as the server may.
         */
        public Builder pipelining(boolean on) {
            this.pipelining = on;
            return this;
        }

        /** Who hears of locks, conflicts and attempts: nobody by default. */
        public Builder listener(RowlockListener listener) {
            this.listener = listener;
            return this;
        }

        /**
         * Whose transactions to join: nobody's by default. Called inside one of them, a unit of work runs on its connection and becomes
         * a part of it: the time limits are set in it, with the first statement and until its end; work for after the commit is
         * run after its commit; a failure leaves it only to be rolled back. It is the owner who commits, and who runs the whole of
         * it again after a conflict, which the unit of work does not: it ends with {@link TransactionConflictException}. The
         * {@link RowlockListener} hears nothing of its end. In a transaction at a weaker level, or a lock in a read-only one, is
         * an {@link IllegalStateException}.
         */
        public Builder joining(TransactionSource source) {
            this.joining = source;
            return this;
        }

        /** The clock, in nanoseconds from any origin: {@link System#nanoTime} by default. */
        public Builder nanoTime(LongSupplier clock) {
            this.nanoTime = clock;
            return this;
        }

        /** Who waits between attempts: {@link Sleeper#SYSTEM} by default. */
        public Builder sleeper(Sleeper sleeper) {
            this.sleeper = sleeper;
            return this;
        }

        /** The source of jitter, from 0 inclusive to 1 exclusive: {@link ThreadLocalRandom} by default. */
        public Builder random(DoubleSupplier random) {
            this.random = random;
            return this;
        }

        /**
         * Makes the Rowlock.
         *
         * @throws IllegalArgumentException if a limit is out of bounds or two do not fit together, naming them
         */
        public Rowlock build() {
            return new Rowlock(dataSource, settings());
        }

        Settings settings() {
            if (maxRows < 1 || maxRows > MOST_ROWS) {
                throw new IllegalArgumentException("maxRows is " + maxRows + "; it must be from 1 to " + MOST_ROWS);
            }
            Limits.checkDuration("retryDelay base", retryBaseDelay);
            Limits.checkDuration("retryDelay max", retryMaxDelay);
            Limits.checkDuration("retryBudget", retryBudget);
            Limits.checkDuration("commitCheckLimit", commitCheckLimit);
            if (retryBaseDelay.compareTo(retryMaxDelay) > 0) {
                throw new IllegalArgumentException("retryDelay base (" + retryBaseDelay.toMillis()
                        + " ms) is longer than retryDelay max (" + retryMaxDelay.toMillis() + " ms)");
            }
            Settings.Retries retries = new Settings.Retries(
                    Settings.Retries.checkAttempts(maxAttempts),
                    retryBaseDelay,
                    retryMaxDelay,
                    retryBudget,
                    retryLockTimeouts,
                    random);
            return new Settings(
                    new Limits(lockTimeout, statementTimeout, idleInTransactionTimeout),
                    limitsPerTransaction,
                    maxRows,
                    retries,
                    commitCheckLimit,
                    isolation,
                    false,
                    pipelining,
                    new SafeListener(listener),
                    nanoTime,
                    sleeper,
                    joining);
        }
    }
}
