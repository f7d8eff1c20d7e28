package dev.rowlock;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What an error means, decided by SQLSTATE alone, in exact five-character sets (PostgreSQL documentation, appendix A). The whole
 * chain of causes and of {@link SQLException#getNextException() next exceptions} is looked at: a 25P02 ("transaction is aborted")
 * can hide the 40P01 behind it, and a data layer can wrap both.
 *
 * <p>A {@link RetriesExhaustedException} or {@link CommitUnknownException} in the chain ends the look: what is behind it
 * was dealt with already, or must not be repeated.
 */
public final class SqlStates {
    static final String SERIALIZATION_FAILURE = "40001";
    static final String DEADLOCK_DETECTED = "40P01";

    private static final Set<String> RETRYABLE = Set.of(SERIALIZATION_FAILURE, DEADLOCK_DETECTED);
    private static final Set<String> LOCK_NOT_AVAILABLE = Set.of("55P03");
    private static final Set<String> QUERY_CANCELED = Set.of("57014");
    private static final Set<String> CONNECTION_LOST = Set.of(
            "08000", "08001", "08003", "08004", "08006", "08007", "08P01", // connection exceptions
            "57P01", "57P02", "57P03", "57P05", // admin shutdown, crash shutdown, cannot connect now, idle session
            "25P03", "25P04", // idle-in-transaction timeout, transaction timeout: both end the session
            "53300"); // too many connections
    private static final Set<String> IN_FAILED_TRANSACTION = Set.of("25P02");
    /** An answer to COMMIT that can only come from a transaction which the server has rolled back. */
    private static final Set<String> ROLLED_BACK_AT_COMMIT = Set.of(
            SERIALIZATION_FAILURE,
            DEADLOCK_DETECTED,
            "25P02", // in failed transaction
            "25P03", // the session was ended while it stood idle, so before the COMMIT was looked at
            "23000",
            "23001",
            "23502",
            "23503",
            "23505",
            "23514",
            "23P01"); // deferred constraints

    private static final int MAX_CHAIN = 1_000;

    private SqlStates() {}

    /** Whether the transaction lost to another and can simply be run again: 40001, 40P01. */
    public static boolean isRetryable(Throwable error) {
        return contains(error, RETRYABLE);
    }

    /** Whether a lock was not to be had: 55P03. */
    public static boolean isLockNotAvailable(Throwable error) {
        return contains(error, LOCK_NOT_AVAILABLE);
    }

    /** Whether a statement was cancelled, by a time-out or by a request: 57014. */
    public static boolean isCanceled(Throwable error) {
        return contains(error, QUERY_CANCELED);
    }

    /** Whether the session is gone, or never came to be. */
    public static boolean isConnectionLost(Throwable error) {
        return contains(error, CONNECTION_LOST);
    }

    static boolean isInFailedTransaction(Throwable error) {
        return contains(error, IN_FAILED_TRANSACTION);
    }

    static boolean isRolledBackAtCommit(Throwable error) {
        return contains(error, ROLLED_BACK_AT_COMMIT);
    }

    /** The first SQLSTATE in the chain, whatever it is. */
    static Optional<String> first(Throwable error) {
        return find(error, false, state -> true);
    }

    /** The state that makes an attempt worth another one, for meters: 40001, 40P01 or 55P03. */
    public static Optional<String> conflict(Throwable error) {
        return find(error, true, state -> RETRYABLE.contains(state) || LOCK_NOT_AVAILABLE.contains(state));
    }

    private static boolean contains(Throwable error, Set<String> states) {
        return find(error, true, states::contains).isPresent();
    }

    private static Optional<String> find(Throwable error, boolean endAtFinalErrors, Predicate<String> wanted) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Throwable> open = new ArrayDeque<>();
        open.push(error);
        while (!open.isEmpty() && seen.size() < MAX_CHAIN) {
            Throwable next = open.pop();
            boolean isFinal = next instanceof RetriesExhaustedException || next instanceof CommitUnknownException;
            if ((isFinal && endAtFinalErrors) || !seen.add(next)) {
                continue;
            }
            if (next.getCause() != null) {
                open.push(next.getCause());
            }
            if (next instanceof SQLException sql) {
                if (sql.getSQLState() != null && wanted.test(sql.getSQLState())) {
                    return Optional.of(sql.getSQLState());
                }
                if (sql.getNextException() != null) {
                    open.push(sql.getNextException());
                }
            }
        }
        return Optional.empty();
    }
}
