package dev.rowlock.spring.http;

import static dev.rowlock.spring.http.Problem.again;

import dev.rowlock.CommitUnknownException;
import dev.rowlock.ConnectionLostException;
import dev.rowlock.LockTimeoutException;
import dev.rowlock.MissingRowException;
import dev.rowlock.RefusedWriteException;
import dev.rowlock.RetriesExhaustedException;
import dev.rowlock.RowlockException;
import dev.rowlock.StaleRowException;
import dev.rowlock.StatementTimeoutException;
import dev.rowlock.TransactionConflictException;
import dev.rowlock.TransactionInterruptedException;
import dev.rowlock.counter.NotBegunException;
import dev.rowlock.counter.RefusedChangeException;
import dev.rowlock.jobs.StaleJobException;
import dev.rowlock.once.InFlightException;
import dev.rowlock.once.KeyReusedException;
import dev.rowlock.tree.TreeRuleException;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What each error of Rowlock's is over HTTP: the one table, by what the caller can do next. */
public final class RowlockProblems {
    private static final Logger LOG = LoggerFactory.getLogger(RowlockProblems.class);
    static final long SOON_SECONDS = 1;
    static final long LATER_SECONDS = 5;

    static final String NOTHING_CHANGED = "Nothing was changed; try again later.";
    static final String READ_AGAIN = "Read it again and repeat the change.";

    private RowlockProblems() {}

    /** What the error is answered with; those that the program must mend are an {@link ProblemKind#INTERNAL_ERROR}. */
    public static Problem of(RowlockException failure) {
        Problem problem = find(failure)
                .orElseGet(() -> Problem.of(
                        ProblemKind.INTERNAL_ERROR, "Give the incident to the operator; the log tells what failed."));
        if (problem.kind().status() == 503) {
            // One line: under load there are many of them, and the meters count them.
            LOG.warn("answered {} because {}", problem.kind(), firstLine(failure));
        }
        return problem;
    }

    private static Optional<Problem> find(RowlockException failure) {
        if (failure instanceof MissingRowException) {
            return Optional.of(Problem.of(ProblemKind.NOT_FOUND, "The row is gone."));
        }
        if (failure instanceof StaleRowException stale) {
            return Optional.of(new Problem(
                    ProblemKind.STALE,
                    READ_AGAIN,
                    Map.of("currentVersion", stale.currentVersion(), "expectedVersion", stale.expectedVersion()),
                    Optional.empty()));
        }
        if (failure instanceof RefusedWriteException
                || failure instanceof RefusedChangeException
                || failure instanceof TreeRuleException
                || failure instanceof StaleJobException) {
            return Optional.of(Problem.of(ProblemKind.REFUSED, "Nothing was changed."));
        }
        if (failure instanceof CommitUnknownException) {
            return Optional.of(Problem.of(
                    ProblemKind.OUTCOME_UNKNOWN,
                    "The connection to the database broke while the change was being committed."
                            + " It was made as a whole or not at all: look before trying again."));
        }
        if (failure instanceof KeyReusedException reused) {
            return Optional.of(Problem.of(
                    ProblemKind.IDEMPOTENCY_KEY_REUSED,
                    "The key " + reused.key().key()
                            + " came with another request before; a new request needs a new key."));
        }
        if (failure instanceof InFlightException inFlight) {
            return Optional.of(again(
                    ProblemKind.REQUEST_IN_FLIGHT,
                    inFlight.retryAfter().toSeconds(),
                    "Repeat it with the same key to get its answer."));
        }
        return unavailable(failure);
    }

    private static Optional<Problem> unavailable(RowlockException failure) {
        if (failure instanceof LockTimeoutException timeout) {
            return later(timeout.noWait() ? ProblemKind.ROW_HELD : ProblemKind.LOCK_TIMEOUT, SOON_SECONDS);
        }
        if (failure instanceof RetriesExhaustedException || failure instanceof TransactionConflictException) {
            return later(ProblemKind.TOO_MANY_CONFLICTS, SOON_SECONDS);
        }
        if (failure instanceof StatementTimeoutException) {
            return later(ProblemKind.STATEMENT_TIMEOUT, LATER_SECONDS);
        }
        if (failure instanceof ConnectionLostException) {
            return later(ProblemKind.DATABASE_UNAVAILABLE, LATER_SECONDS);
        }
        if (failure instanceof TransactionInterruptedException) {
            return later(ProblemKind.INTERRUPTED, LATER_SECONDS);
        }
        if (failure instanceof NotBegunException notBegun) {
            return switch (notBegun.reason()) {
                case TIMED_OUT -> later(ProblemKind.LOCK_TIMEOUT, SOON_SECONDS);
                case QUEUE_FULL -> later(ProblemKind.TOO_MANY_CONFLICTS, SOON_SECONDS);
                case INTERRUPTED, REJECTED -> later(ProblemKind.INTERRUPTED, LATER_SECONDS);
            };
        }
        return Optional.empty();
    }

    static Optional<Problem> later(ProblemKind kind, long seconds) {
        return Optional.of(again(kind, seconds, NOTHING_CHANGED));
    }

    /** The server's own messages go on with hints and context. */
    private static String firstLine(Throwable failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }
}
