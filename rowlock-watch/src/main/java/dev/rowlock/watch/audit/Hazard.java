package dev.rowlock.watch.audit;

/** What the audit looks for. */
public enum Hazard {
    /** A query locks rows in a transaction of its own. */
    LOCK_OUTSIDE_TRANSACTION(
            "lock-outside-transaction",
            "The statement commits by itself: the lock is gone before the program has seen the row, and protects nothing.",
            "Begin a transaction before the lock, and write in the same one."),
    /** The program said that it locks, see {@link dev.rowlock.watch.trace.ExpectedLock}, and the SQL does not. */
    LOCK_NOT_SENT(
            "lock-not-sent",
            "The code reads as if the row were locked, and the database knows nothing of it: two requests decide on the same value.",
            "Look at the SQL that is sent, and ask for the lock where this query is made."),
    /** A query locks more rows than the limit, or every row there is. */
    WIDE_LOCK(
            "wide-lock",
            "Everybody who needs one of these rows waits until the transaction ends, and two who lock many in different orders deadlock.",
            "Lock by key, or in batches with ORDER BY and LIMIT."),
    /** A row is read without a lock, and what the program made of it is written without a condition. */
    READ_THEN_WRITE(
            "read-then-write",
            "Whoever writes the row between the two statements is overwritten: a lost update.",
            "Lock the row when it is read (FOR NO KEY UPDATE), let the database work the value out (n = n - ?) under a guard, or check a version."),
    /** One part of the program locks a table's rows before it writes them, another does not. */
    ONE_PATH_LOCKS(
            "one-path-locks",
            "A lock keeps only those out who ask for it: the path without one overwrites what the locked one decided.",
            "Lock on both paths, or write on the other one with a relative value and a guard."),
    /** Transactions lock the same things in different orders. */
    LOCK_ORDER(
            "lock-order",
            "If they meet, each waits for what the other has, and the database kills one of them (SQLSTATE 40P01).",
            "Lock in one order everywhere: all rows of a table in one statement with ORDER BY the key, tables in a fixed order."),
    /** An UPDATE or DELETE by key matched nothing, and the transaction committed without another look. */
    ZERO_ROWS_COMMITTED(
            "zero-rows-committed",
            "The row was gone, or its guard or version said no, and the caller is told that all is well.",
            "Look at the count: tell the caller of a conflict, or roll back. If the code does, allow this finding here."),
    /** A transaction holds a lock while the program does something else. */
    LONG_HOLD(
            "long-hold",
            "Whoever needs the row waits for whatever the program did meanwhile: a call to another service, a computation, a person.",
            "Do it before the lock or after the commit."),
    /** A count or a uniqueness decision rests on a query that leaves locked rows out. */
    SKIP_LOCKED_DECISION(
            "skip-locked-decision",
            "Rows that others have locked exist and are not seen: the count is too low, and what seems absent is there.",
            "Count without SKIP LOCKED, and leave uniqueness to a constraint with INSERT … ON CONFLICT."),
    /** A row that was locked for sharing is then locked or written for good. */
    SHARE_LOCK_UPGRADE(
            "share-lock-upgrade",
            "Two transactions that both share the row wait for each other when they write it: a certain deadlock (SQLSTATE 40P01).",
            "Take the lock that the write needs from the beginning: FOR NO KEY UPDATE, or FOR UPDATE before a DELETE."),
    /** An UPDATE of a versioned table neither raises nor checks the version. */
    VERSION_SKIPPED(
            "version-skipped",
            "Whoever read the row before still finds its version unchanged, and overwrites this write.",
            "Add version = version + 1 to the UPDATE.");

    private final String id;
    private final String why;
    private final String instead;

    Hazard(String id, String why, String instead) {
        this.id = id;
        this.why = why;
        this.instead = instead;
    }

    /** Its name in logs and metrics, which stays. */
    public String id() {
        return id;
    }

    /** Why it hurts. */
    public String why() {
        return why;
    }

    /** What to write instead. */
    public String instead() {
        return instead;
    }
}
