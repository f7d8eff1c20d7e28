package dev.rowlock.service.problem;

import dev.rowlock.RowlockException;
import dev.rowlock.spring.http.ConflictListener;
import dev.rowlock.spring.http.Problem;
import dev.rowlock.spring.http.ProblemKind;
import dev.rowlock.spring.http.RequestRefusedException;
import dev.rowlock.spring.http.RowlockProblems;
import dev.rowlock.spring.idempotency.IdempotencyKey;
import java.util.List;
import org.apache.coyote.BadRequestException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.util.DisconnectedClientHelper;

/** Turns what controllers and Spring MVC throw into problem details. */
@RestControllerAdvice
final class ProblemHandler extends ResponseEntityExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

    private final List<ConflictListener> listeners;

    ProblemHandler(List<ConflictListener> listeners) {
        this.listeners = listeners;
    }

    @ExceptionHandler
    ResponseEntity<Object> expected(ProblemException exception) {
        return Problems.answer(Problems.of(exception));
    }

    @ExceptionHandler
    ResponseEntity<Object> database(RowlockException exception) {
        return answer(RowlockProblems.of(exception), exception);
    }

    private ResponseEntity<Object> answer(Problem problem, RowlockException failure) {
        listeners.forEach(listener -> listener.onAnswered(problem.kind()));
        ProblemDetail detail = problem.toDetail();
        if (problem.isIncident()) {
            Problems.incident(detail, failure);
        }
        HttpHeaders headers = new HttpHeaders();
        problem.retryAfterSeconds().ifPresent(seconds -> headers.set(HttpHeaders.RETRY_AFTER, Long.toString(seconds)));
        return Problems.answer(detail, headers);
    }

    /** A header that cannot be read is named as every other field is. */
    @ExceptionHandler
    ResponseEntity<Object> header(RequestRefusedException exception) {
        if (exception.problem().kind() != ProblemKind.INVALID_REQUEST) {
            return Problems.answer(exception.problem().toDetail());
        }
        String message = exception.header().equals(IdempotencyKey.HEADER)
                ? IdempotencyKey.RULE
                : "must be the ETag that was read, in its quotes, such as \"7\"";
        return expected(ProblemException.invalid(exception.header(), message));
    }

    /** The body breaks the rules of HTTP, for example of chunks. */
    @ExceptionHandler
    ResponseEntity<Object> broken(BadRequestException exception) {
        LOG.debug("a body could not be read", exception);
        return Problems.answer(StatusProblems.detail(400));
    }

    @ExceptionHandler(Exception.class)
    @Nullable
    ResponseEntity<Object> unexpected(Exception exception) {
        if (DisconnectedClientHelper.isClientDisconnectedException(exception)) {
            LOG.debug("the client is gone, nobody to answer", exception);
            return null;
        }
        return Problems.answer(Problems.internalError(exception));
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleTypeMismatch(
            TypeMismatchException exception, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (exception instanceof MethodArgumentTypeMismatchException argument) {
            return expected(
                    ProblemException.invalid(argument.getName(), "must be a whole number from 1 to " + Long.MAX_VALUE));
        }
        return super.handleTypeMismatch(exception, headers, status, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException exception, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return expected(ProblemException.invalid(
                "body",
                exception.getCause() == null
                        ? "is missing; it must be a JSON object"
                        : "ended before it was complete, or is not encoded as its headers say"));
    }

    /** Every other error of Spring MVC's: its status and headers, our words. */
    @Override
    protected @Nullable ResponseEntity<Object> handleExceptionInternal(
            Exception exception,
            @Nullable Object body,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        if (status.is5xxServerError()) {
            return Problems.answer(Problems.internalError(exception), headers);
        }
        return Problems.answer(StatusProblems.detail(status.value()), headers);
    }
}
