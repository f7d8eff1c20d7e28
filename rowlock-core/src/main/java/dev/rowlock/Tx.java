package dev.rowlock;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The open transaction, handed to a unit of work. It belongs to that function and its thread: used after the function has returned
 * or from another thread, every method throws {@link IllegalStateException}.
 *
 * <p>Errors that every method of this class and of {@link Update} and {@link Insert} may throw: {@link LockTimeoutException},
 * {@link StatementTimeoutException}, {@link TransactionConflictException}, {@link ConnectionLostException},
 * {@link TransactionInterruptedException} and {@link DatabaseException}. Let them pass: the transaction can do no more.
 */
public final class Tx {
    private final TxScope scope;
    private final Thread owner = Thread.currentThread();
    /** Whether the transaction goes on when this one's function has returned. */
    private final boolean joined;

    private boolean ended;

    Tx(TxScope scope, boolean joined) {
        this.scope = scope;
        this.joined = joined;
    }

    /**
     * Locks one row with {@link Lock#forNoKeyUpdate()} and returns it as it is under the lock.
     *
     * @param key a {@code long}, {@code int}, {@link java.util.UUID}, {@link String} or {@link Key}
     * @throws MissingRowException if there is no such row
     */
    public Row lock(Table table, Object key) {
        return lock(table, key, Lock.forNoKeyUpdate());
    }

    /**
     * Locks one row and returns it as it is under the lock.
     *
     * @throws MissingRowException if there is no such row
     * @throws LockTimeoutException if another transaction holds it, at once with {@link Lock#noWait()}
     * @throws IllegalArgumentException if the lock skips: a skipped row cannot be told from a missing one, so use
     *     {@link #lockIfPresent(Table, Object, Lock)}
     */
    public Row lock(Table table, Object key, Lock lock) {
        if (lock.skips()) {
            throw new IllegalArgumentException(
                    "lock with SKIP LOCKED cannot tell a skipped row from a missing one; use lockIfPresent");
        }
        return lockIfPresent(table, key, lock).orElseThrow(() -> missing(table, table.keyOf(key)));
    }

    /** As {@link #lock(Table, Object)}, but a missing row is empty. */
    public Optional<Row> lockIfPresent(Table table, Object key) {
        return lockIfPresent(table, key, Lock.forNoKeyUpdate());
    }

    /** As {@link #lock(Table, Object, Lock)}, but a missing row is empty, and so is one that {@link Lock#skipLocked()} skipped. */
    public Optional<Row> lockIfPresent(Table table, Object key, Lock lock) {
        check();
        Key wanted = table.keyOf(key);
        List<Row> rows = new Locking(this, scope).one(table, wanted, lock);
        if (rows.size() > 1) {
            throw doom(new IllegalStateException("lock of " + table + " " + wanted + " found " + rows.size()
                    + " rows; the key columns " + table.key() + " must be unique"));
        }
        return rows.stream().findFirst();
    }

    /** Locks all these rows with {@link Lock#forNoKeyUpdate()}; see {@link #lockAll(Table, Iterable, Lock)}. */
    public Rows lockAll(Table table, Iterable<?> keys) {
        return lockAll(table, keys, Lock.forNoKeyUpdate());
    }

    /**
     * Locks all these rows in one statement, always in the order in which the database sorts their keys: two requests for the
     * same rows, in whatever order they are given, cannot deadlock. Keys given twice count once.
     *
     * @throws MissingRowException if one of them is not there, naming the first of them
     * @throws TooManyRowsException if there are more distinct keys than the row limit allows; nothing is sent then
     * @throws IllegalArgumentException if the lock skips (use {@link #lockAllPresent}) or takes only the first rows
     */
    public Rows lockAll(Table table, Iterable<?> keys, Lock lock) {
        if (lock.skips()) {
            throw new IllegalArgumentException(
                    "lockAll with SKIP LOCKED cannot tell a skipped row from a missing one; use lockAllPresent");
        }
        Rows rows = lockAllPresent(table, keys, lock);
        for (Object key : keys) {
            if (rows.find(key).isEmpty()) {
                throw missing(table, table.keyOf(key));
            }
        }
        return rows;
    }

    /** As {@link #lockAll(Table, Iterable, Lock)}, but rows that are missing or were skipped are left out. */
    public Rows lockAllPresent(Table table, Iterable<?> keys, Lock lock) {
        check();
        return new Locking(this, scope).all(table, keys, lock);
    }

    /**
     * Locks the rows for which an SQL condition is true, in key order. A row that another transaction holds is judged again once
     * it lets go, so rows that no longer match are left out. Rows that come to match later are not locked: a condition cannot
     * be locked, only rows can.
     *
     * @param condition SQL of the program, never of a user; {@code ?} for each value
     * @param lock with {@link Lock#limit} or {@link Lock#first}, else up to the row limit of the {@link Rowlock}
     * @throws TooManyRowsException if more rows match than the limit allows; the transaction is rolled back
     */
    public Rows lockWhere(Table table, String condition, List<? extends @Nullable Object> values, Lock lock) {
        check();
        return new Locking(this, scope).where(table, condition, values, lock);
    }

    /** Begins a guarded change of one row; see {@link Update}. */
    public Update update(Table table, Object key) {
        check();
        return new Update(sender(), table, table.keyOf(key));
    }

    private Update.Sender sender() {
        return new Update.Sender() {
            @Override
            public void check() {
                Tx.this.check();
            }

            @Override
            public Write send(GuardedUpdate update) {
                return update.applyIn(Tx.this, scope);
            }
        };
    }

    /** Begins a new row; see {@link Insert}. */
    public Insert insert(Table table) {
        check();
        return new Insert(this, scope, table);
    }

    /**
     * Reads one row without locking it. It may be out of date before this returns: good for showing, wrong for deciding. Is never
     * blocked by a row lock.
     */
    public Optional<Row> peek(Table table, Object key) {
        check();
        return new Locking(this, scope).peek(table, table.keyOf(key));
    }

    /**
     * Learns this transaction's id, so that the outcome of a lost commit can be found out also where everything was sent through
     * {@link #connection()}; call it behind the last write. One round trip; none where a statement of this class has brought the id
     * already, where the unit of work reads only, and inside a transaction that somebody else owns.
     */
    public void identify() {
        check();
        scope.identify();
    }

    /**
     * Runs one statement of the program's own and returns its rows, none if it is not one that returns any. Errors are those of
     * this class, and the transaction's id comes back with it, so that the outcome of a lost commit can be found out, which a
     * statement sent through {@link #connection()} cannot promise.
     *
     * @param sql one statement of the program, never of a user; {@code ?} for each value, {@code ??} for the operator {@code ?}
     * @param values what JDBC takes, {@link java.time.Instant}, and arrays of {@link Long}, {@link Integer}, {@link String},
     *     {@link java.util.UUID}, {@link Boolean} and {@link java.math.BigDecimal}; null for NULL
     * @return its rows; their table is called {@code (query)} and knows no key
     * @throws IllegalArgumentException if the numbers of {@code ?} and of values differ
     */
    public List<Row> query(String sql, @Nullable Object... values) {
        check();
        return scope.own(SqlRequest.own(SqlRequest.OWN, sql, values)).rows();
    }

    /**
     * As {@link #query(String, Object...)}; the rows it returns are rows of this table, and so are the ones it waits for.
     *
     * @param table whose key and version columns are among the columns that the statement returns, as far as they are asked for
     */
    public List<Row> query(Table table, String sql, @Nullable Object... values) {
        check();
        return scope.own(SqlRequest.own(table, sql, values)).rows();
    }

    /**
     * Runs one statement of the program's own; as {@link #query}.
     *
     * @return how many rows it changed, or returned
     */
    @CheckReturnValue
    public int execute(String sql, @Nullable Object... values) {
        check();
        return scope.own(SqlRequest.own(SqlRequest.OWN, sql, values)).changed();
    }

    /**
     * Runs statements one after the other, in one round trip unless {@link Rowlock.Builder#pipelining} is off. Each is a statement of
     * its own to the server: at READ COMMITTED it sees what others have committed while the one before it waited for a lock. If one
     * fails, those behind it are not run. Errors are those of {@link #query}.
     *
     * @param table whose rows the last one returns
     * @return the rows of the last one
     * @throws IllegalArgumentException if there is none, or the numbers of {@code ?} and of values differ
     */
    public List<Row> queryInOrder(Table table, List<SqlStatement> statements) {
        check();
        if (statements.isEmpty()) {
            throw new IllegalArgumentException("queryInOrder without a statement");
        }
        return scope.ownInOrder(statements.stream()
                .map(statement -> SqlRequest.own(
                        table, statement.sql(), statement.values().toArray()))
                .toList());
    }

    /**
     * As {@link #query}, waiting for each lock no longer than this instead of the lock timeout, which is in force again afterwards;
     * costs no further round trip.
     *
     * @param waitLimit from 1 ms to the statement timeout
     * @throws LockTimeoutException if another transaction holds a lock for longer
     */
    public List<Row> queryWaitingAtMost(Duration waitLimit, String sql, @Nullable Object... values) {
        check();
        Lock lock = Lock.forNoKeyUpdate().waitAtMost(waitLimit);
        return scope.own(SqlRequest.own(SqlRequest.OWN, sql, values)
                        .withSql(Locking.framed(sql, lock, scope.settings())))
                .rows();
    }

    /**
     * Puts off one statement of the program's own until the unit of work commits, and sends it in the same round trip as the COMMIT: if
     * it fails, nothing is committed and {@link Rowlock#call} ends with its error. Nothing that the function still does sees its
     * effect. In a unit of work that joined another one it is sent at once instead, because that one goes on.
     *
     * @throws IllegalStateException if there is one for this transaction already
     * @throws IllegalArgumentException if the numbers of {@code ?} and of values differ
     */
    public void executeAtCommit(String sql, @Nullable Object... values) {
        check();
        SqlRequest request = SqlRequest.own(SqlRequest.OWN, sql, values);
        if (joined) {
            scope.own(request);
        } else {
            scope.atCommit(request);
        }
    }

    TxScope scope() {
        return scope;
    }

    /**
     * Has work done after the transaction has committed: mail, events, calls to others. It runs in the order given, in this
     * thread, after the outermost unit of work has committed and given its connection back; never after a rollback, and once
     * only, however many attempts it took. What it throws is logged and told to the {@link RowlockListener}; it does not undo
     * the commit nor stop the work behind it. If the process dies in between, the work is lost: what must not be lost
     * belongs into the database, in the same transaction.
     */
    public void afterCommit(Runnable work) {
        check();
        scope.afterCommit().add(work);
    }

    /**
     * The connection of this transaction, for everything else: jOOQ, Jdbi, JdbcClient, plain JDBC. Valid until the function
     * returns. Savepoints work; {@code close} does nothing; what would end the transaction behind Rowlock's back ({@code commit},
     * {@code rollback} without a savepoint, {@code setAutoCommit}…) throws {@link IllegalStateException}.
     *
     * <p>If a statement fails, the transaction can only roll back, unless a savepoint from before it is rolled back to. Statements sent
     * this way do not bring back the transaction's id: where only such statements have written, a commit whose answer is lost
     * cannot be looked up and is a {@link CommitUnknownException}.
     */
    public Connection connection() {
        check();
        scope.lend();
        return ConnectionGuard.of(this, scope);
    }

    void check() {
        if (ended) {
            throw new IllegalStateException("this Tx is over: it was used after its function returned");
        }
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("this Tx belongs to thread " + owner.getName() + " and was used from "
                    + Thread.currentThread().getName() + "; a transaction cannot be shared between threads");
        }
    }

    boolean isUsable() {
        return !ended && Thread.currentThread() == owner;
    }

    void end() {
        ended = true;
    }

    /** Marks the transaction so that it cannot commit, whoever catches the error. */
    <E extends RuntimeException> E doom(E error) {
        scope.doom(error);
        return error;
    }

    private MissingRowException missing(Table table, Key key) {
        scope.conflict(table, RowlockListener.ConflictKind.MISSING);
        return new MissingRowException(table, key);
    }
}
