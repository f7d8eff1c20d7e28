package dev.rowlock.service.problem;

import dev.rowlock.CommitUnknownException;
import dev.rowlock.ConnectionLostException;
import dev.rowlock.LockTimeoutException;
import dev.rowlock.MissingRowException;
import dev.rowlock.RefusedWriteException;
import dev.rowlock.RetriesExhaustedException;
import dev.rowlock.RowlockException;
import dev.rowlock.StaleRowException;
import dev.rowlock.StatementTimeoutException;
import dev.rowlock.TransactionInterruptedException;
import dev.rowlock.counter.NotBegunException;
import dev.rowlock.once.InFlightException;
import dev.rowlock.once.KeyReusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

/** What each error of Rowlock's is over HTTP: the one table, by what the caller can do next. */
final class RowlockProblems {
    private static final Logger LOG = LoggerFactory.getLogger(RowlockProblems.class);
    private static final String RETRY_SOON_SECONDS = "1";
    private static final String RETRY_LATER_SECONDS = "5";

    private RowlockProblems() {}

    static ResponseEntity<Object> answer(RowlockException failure) {
        if (failure instanceof MissingRowException) {
            return Problems.answer(Problems.detail(ProblemType.NOT_FOUND, "The row is gone."));
        }
        if (failure instanceof StaleRowException stale) {
            ProblemDetail problem = Problems.detail(ProblemType.STALE, "Read it again and repeat the change.");
            problem.setProperty("currentVersion", stale.currentVersion());
            problem.setProperty("expectedVersion", stale.expectedVersion());
            return Problems.answer(problem);
        }
        if (failure instanceof RefusedWriteException) {
            return Problems.answer(Problems.detail(ProblemType.REFUSED, "Nothing was changed."));
        }
        if (failure instanceof LockTimeoutException timeout) {
            return tryAgain(timeout.noWait() ? ProblemType.ROW_HELD : ProblemType.LOCK_TIMEOUT, RETRY_SOON_SECONDS);
        }
        if (failure instanceof CommitUnknownException) {
            return Problems.answer(Problems.incident(
                    ProblemType.OUTCOME_UNKNOWN,
                    "The connection to the database broke while the change was being committed."
                            + " It was made as a whole or not at all: look before trying again.",
                    failure));
        }
        if (failure instanceof KeyReusedException reused) {
            return Problems.answer(Problems.detail(
                    ProblemType.IDEMPOTENCY_KEY_REUSED,
                    "The key " + reused.key().key()
                            + " came with another request before; a new request needs a new key."));
        }
        if (failure instanceof InFlightException inFlight) {
            return tryAgain(
                    ProblemType.REQUEST_IN_FLIGHT,
                    Long.toString(inFlight.retryAfter().toSeconds()),
                    "Repeat it with the same key to get its answer.");
        }
        if (failure instanceof NotBegunException notBegun) {
            return notBegun(notBegun);
        }
        return unavailable(failure);
    }

    private static ResponseEntity<Object> notBegun(NotBegunException failure) {
        LOG.warn("answered 503 because {}", failure.getMessage());
        return switch (failure.reason()) {
            case TIMED_OUT -> tryAgain(ProblemType.LOCK_TIMEOUT, RETRY_SOON_SECONDS);
            case QUEUE_FULL -> tryAgain(ProblemType.TOO_MANY_CONFLICTS, RETRY_SOON_SECONDS);
            case INTERRUPTED, REJECTED -> tryAgain(ProblemType.INTERRUPTED, RETRY_LATER_SECONDS);
        };
    }

    private static ResponseEntity<Object> unavailable(RowlockException failure) {
        ProblemType type;
        if (failure instanceof RetriesExhaustedException) {
            type = ProblemType.TOO_MANY_CONFLICTS;
        } else if (failure instanceof StatementTimeoutException) {
            type = ProblemType.STATEMENT_TIMEOUT;
        } else if (failure instanceof ConnectionLostException) {
            type = ProblemType.DATABASE_UNAVAILABLE;
        } else if (failure instanceof TransactionInterruptedException) {
            type = ProblemType.INTERRUPTED;
        } else {
            return Problems.answer(Problems.internalError(failure));
        }
        // One line: under load there are many of them, and the meters count them.
        LOG.warn("answered {} because {}", type, firstLine(failure));
        return tryAgain(type, type == ProblemType.TOO_MANY_CONFLICTS ? RETRY_SOON_SECONDS : RETRY_LATER_SECONDS);
    }

    /** The server's own messages go on with hints and context. */
    private static String firstLine(RowlockException failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    private static ResponseEntity<Object> tryAgain(ProblemType type, String seconds) {
        return tryAgain(type, seconds, "Nothing was changed; try again later.");
    }

    private static ResponseEntity<Object> tryAgain(ProblemType type, String seconds, String detail) {
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaders.RETRY_AFTER, seconds);
        return Problems.answer(Problems.detail(type, detail), headers);
    }
}
