package dev.rowlock;

import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What row lock to take, and what to do when another transaction holds it. Immutable; every method returns a new value.
 *
 * <p>Without more said, a request waits up to the {@linkplain Rowlock.Builder#lockTimeout lock timeout} (2 s by default) and
 * may lock up to the {@linkplain Rowlock.Builder#maxRows row limit} (100 by default).
 *
 * <p>The strengths are PostgreSQL's own (PostgreSQL documentation, 13.3.2 "Row-Level Locks").
 */
public final class Lock {
    /** How strong a row lock is. */
    public enum Strength {
        /** Shuts out every other lock, also the one a foreign key check takes. */
        UPDATE("FOR UPDATE"),
        /** Shuts out every other writer, but lets foreign key checks of child rows pass. */
        NO_KEY_UPDATE("FOR NO KEY UPDATE"),
        /** Shared among readers; shuts out writers. */
        SHARE("FOR SHARE"),
        /** Shared; shuts out only deletion and changes of the key. */
        KEY_SHARE("FOR KEY SHARE");

        private final String sql;

        Strength(String sql) {
            this.sql = sql;
        }
    }

    enum WhenTaken {
        WAIT(""),
        NO_WAIT(" NOWAIT"),
        SKIP(" SKIP LOCKED");

        private final String sql;

        WhenTaken(String sql) {
            this.sql = sql;
        }
    }

    private final Strength strength;
    private final WhenTaken whenTaken;
    private final @Nullable Duration wait;
    private final int rows;
    private final boolean takeFirst;

    private Lock(Strength strength, WhenTaken whenTaken, @Nullable Duration wait, int rows, boolean takeFirst) {
        this.strength = strength;
        this.whenTaken = whenTaken;
        this.wait = wait;
        this.rows = rows;
        this.takeFirst = takeFirst;
    }

    private static Lock of(Strength strength) {
        return new Lock(strength, WhenTaken.WAIT, null, 0, false);
    }

    /**
     * The lock to take before changing a row: the default wherever none is given. Inserting a row that refers to this one
     * does not conflict with it, which is why it cannot deadlock with an earlier insert of a child row as FOR UPDATE does.
     */
    public static Lock forNoKeyUpdate() {
        return of(Strength.NO_KEY_UPDATE);
    }

    /** The lock to take before deleting a row or changing its key. */
    public static Lock forUpdate() {
        return of(Strength.UPDATE);
    }

    /**
     * Keeps the row as it is while others may read it under the same lock. Do not change the row afterwards: two holders that
     * both want to write wait for each other, which is a deadlock.
     */
    public static Lock forShare() {
        return of(Strength.SHARE);
    }

    /** Keeps the row from being deleted or given another key. */
    public static Lock forKeyShare() {
        return of(Strength.KEY_SHARE);
    }

    /**
     * Does not wait: a row that is taken is a {@link LockTimeoutException} at once.
     *
     * @throws IllegalStateException if the lock already skips or has a wait limit
     */
    public Lock noWait() {
        requireWait("noWait");
        return new Lock(strength, WhenTaken.NO_WAIT, null, rows, takeFirst);
    }

    /**
     * Leaves out rows that are taken. For handing different rows to different workers; never for counting or for deciding
     * whether something exists, since what is skipped is there all the same.
     *
     * @throws IllegalStateException if the lock already is no-wait or has a wait limit
     */
    public Lock skipLocked() {
        requireWait("skipLocked");
        return new Lock(strength, WhenTaken.SKIP, null, rows, takeFirst);
    }

    /**
     * Waits at most this long for each row of this request, instead of the lock timeout of the {@link Rowlock}.
     *
     * @param limit from 1 ms to 24 h, whole milliseconds; must not be longer than the statement timeout
     * @throws IllegalArgumentException if it is outside of that (a limit of zero would mean for ever in PostgreSQL)
     * @throws IllegalStateException if the lock is no-wait or skips
     */
    public Lock waitAtMost(Duration limit) {
        if (whenTaken != WhenTaken.WAIT) {
            throw new IllegalStateException("waitAtMost cannot be combined with " + whenTaken.sql.trim());
        }
        Limits.checkDuration("waitAtMost", limit);
        return new Lock(strength, whenTaken, limit, rows, takeFirst);
    }

    /**
     * Allows this many rows in this request: one more is a {@link TooManyRowsException} and the transaction is rolled back.
     *
     * @param rows at least 1
     */
    public Lock limit(int rows) {
        return withRows("limit", rows, false);
    }

    /**
     * Takes no more than the first rows in key order and is content with them, however many more there are. With
     * {@link #skipLocked()} this is how workers claim work.
     *
     * @param rows at least 1
     */
    public Lock first(int rows) {
        return withRows("first", rows, true);
    }

    private Lock withRows(String method, int count, boolean first) {
        if (count < 1 || count == Integer.MAX_VALUE) {
            throw new IllegalArgumentException(method + " is " + count + "; it must be at least 1");
        }
        if (rows != 0) {
            throw new IllegalStateException("limit or first was already given: " + rows);
        }
        return new Lock(strength, whenTaken, wait, count, first);
    }

    private void requireWait(String method) {
        if (whenTaken != WhenTaken.WAIT) {
            throw new IllegalStateException(method + " cannot be combined with " + whenTaken.sql.trim());
        }
        if (wait != null) {
            throw new IllegalStateException(method + " cannot be combined with waitAtMost");
        }
    }

    /** How strong the lock is. */
    public Strength strength() {
        return strength;
    }

    /** Whether a row that is taken is an error at once. */
    public boolean isNoWait() {
        return whenTaken == WhenTaken.NO_WAIT;
    }

    /** Whether rows that are taken are left out. */
    public boolean skips() {
        return whenTaken == WhenTaken.SKIP;
    }

    /** The limit of {@link #waitAtMost}, or null if none was given. */
    public @Nullable Duration waitLimit() {
        return wait;
    }

    /** What was given to {@link #limit} or {@link #first}. */
    public OptionalInt rows() {
        return rows == 0 ? OptionalInt.empty() : OptionalInt.of(rows);
    }

    /** Whether the request is content with the {@link #first} rows. */
    public boolean takesFirst() {
        return takeFirst;
    }

    /**
     * The clause to end a SELECT with, for those who send their own, such as {@code FOR UPDATE OF t NOWAIT}. Limits are not part of
     * it.
     *
     * @param alias of the table whose rows to lock, quoted where it needs to be; or empty for all tables of the SELECT
     */
    public String sql(String alias) {
        return strength.sql + (alias.isEmpty() ? "" : " OF " + alias) + whenTaken.sql;
    }

    /** The clause as PostgreSQL writes it, with the limits behind. */
    @Override
    public String toString() {
        return sql("")
                + (wait == null ? "" : ", wait at most " + wait.toMillis() + " ms")
                + (rows == 0 ? "" : (takeFirst ? ", first " : ", limit ") + rows);
    }
}
