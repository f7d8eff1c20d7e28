package dev.rowlock.spring.http;

import dev.rowlock.RowlockException;
import dev.rowlock.SqlStates;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.transaction.CannotCreateTransactionException;

/**
 * What an error of any data layer is over HTTP, or nothing if it is neither a conflict nor the database's trouble. An error of
 * Rowlock's anywhere in the chain of causes decides, or else the SQLSTATE there, which no layer changes. Only where the server was
 * not asked, as with a version that no longer matches, does the class decide.
 */
final class Translation {
    private static final String JPA_STALE = "jakarta.persistence.OptimisticLockException";
    private static final String HIBERNATE_STALE = "org.hibernate.StaleStateException";
    private static final Set<String> JPA_LOCKS = Set.of(
            "jakarta.persistence.LockTimeoutException",
            "jakarta.persistence.PessimisticLockException",
            "org.hibernate.PessimisticLockException",
            "org.hibernate.exception.LockAcquisitionException");
    private static final String JPA_QUERY_TIMEOUT = "jakarta.persistence.QueryTimeoutException";

    private static final int MAX_CHAIN = 100;

    private Translation() {}

    /** @param conditional whether the request carried If-Match, so that a stale version is a failed precondition */
    static Optional<Problem> of(Throwable failure, boolean conditional) {
        Throwable own = first(failure, RowlockException.class::isInstance);
        if (own instanceof RowlockException known) {
            return Optional.of(conditional(RowlockProblems.of(known), conditional));
        }
        Optional<Problem> byState = bySqlState(failure);
        return byState.isPresent() ? byState : byClass(failure).map(problem -> conditional(problem, conditional));
    }

    private static Optional<Problem> bySqlState(Throwable failure) {
        if (SqlStates.isRetryable(failure)) {
            return RowlockProblems.later(ProblemKind.TOO_MANY_CONFLICTS, RowlockProblems.SOON_SECONDS);
        }
        if (SqlStates.isLockNotAvailable(failure)) {
            return RowlockProblems.later(ProblemKind.LOCK_TIMEOUT, RowlockProblems.SOON_SECONDS);
        }
        if (SqlStates.isCanceled(failure)) {
            return RowlockProblems.later(ProblemKind.STATEMENT_TIMEOUT, RowlockProblems.LATER_SECONDS);
        }
        return SqlStates.isConnectionLost(failure)
                ? RowlockProblems.later(ProblemKind.DATABASE_UNAVAILABLE, RowlockProblems.LATER_SECONDS)
                : Optional.empty();
    }

    private static Optional<Problem> byClass(Throwable failure) {
        if (is(failure, OptimisticLockingFailureException.class, Set.of(JPA_STALE, HIBERNATE_STALE))) {
            return Optional.of(Problem.of(ProblemKind.STALE, RowlockProblems.READ_AGAIN));
        }
        if (is(failure, PessimisticLockingFailureException.class, JPA_LOCKS)) {
            return RowlockProblems.later(ProblemKind.LOCK_TIMEOUT, RowlockProblems.SOON_SECONDS);
        }
        if (is(failure, QueryTimeoutException.class, Set.of(JPA_QUERY_TIMEOUT))) {
            return RowlockProblems.later(ProblemKind.STATEMENT_TIMEOUT, RowlockProblems.LATER_SECONDS);
        }
        return is(failure, CannotGetJdbcConnectionException.class, Set.of())
                        || is(failure, CannotCreateTransactionException.class, Set.of())
                ? RowlockProblems.later(ProblemKind.DATABASE_UNAVAILABLE, RowlockProblems.LATER_SECONDS)
                : Optional.empty();
    }

    private static Problem conditional(Problem problem, boolean conditional) {
        return conditional && problem.kind() == ProblemKind.STALE
                ? new Problem(
                        ProblemKind.PRECONDITION_FAILED,
                        problem.detail(),
                        problem.members(),
                        problem.retryAfterSeconds())
                : problem;
    }

    private static boolean is(Throwable failure, Class<?> type, Set<String> names) {
        return first(failure, error -> type.isInstance(error) || hasName(error.getClass(), names)) != null;
    }

    /** By name, because not every application has JPA. */
    private static boolean hasName(Class<?> type, Set<String> names) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (names.contains(at.getName())) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Throwable first(Throwable failure, Predicate<Throwable> wanted) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable at = failure; at != null && seen.add(at) && seen.size() < MAX_CHAIN; at = at.getCause()) {
            if (wanted.test(at)) {
                return at;
            }
        }
        return null;
    }
}
