package dev.rowlock;

import java.time.Duration;

/** The three server-side time limits of a session, in force in every transaction. */
record Limits(Duration lock, Duration statement, Duration idleInTransaction) {
    private static final Duration LONGEST = Duration.ofHours(24);

    static final Limits DEFAULT = new Limits(Duration.ofSeconds(2), Duration.ofSeconds(15), Duration.ofSeconds(30));

    Limits {
        checkDuration("lockTimeout", lock);
        checkDuration("statementTimeout", statement);
        checkDuration("idleInTransactionTimeout", idleInTransaction);
        if (lock.compareTo(statement) > 0) {
            throw new IllegalArgumentException("lockTimeout (" + lock.toMillis()
                    + " ms) is longer than statementTimeout (" + statement.toMillis()
                    + " ms), so it could never end a wait; make it shorter");
        }
    }

    /** Zero, which a shorter duration would be cut to, means "no limit" to PostgreSQL. */
    static void checkDuration(String name, Duration value) {
        if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be from 1 ms to 24 h");
        }
    }

    String setLocal() {
        return "SET LOCAL lock_timeout = " + lock.toMillis() + "; SET LOCAL statement_timeout = " + statement.toMillis()
                + "; SET LOCAL idle_in_transaction_session_timeout = " + idleInTransaction.toMillis() + "; ";
    }
}
