package dev.rowlock.spring.http;

import java.util.Map;
import java.util.Optional;
import org.springframework.http.ProblemDetail;

/**
 * An error answer.
 *
 * @param kind its kind
 * @param detail what happened this time, for people
 * @param members further members: numbers and texts
 * @param retryAfterSeconds when to try again, where that helps
 */
public record Problem(ProblemKind kind, String detail, Map<String, Object> members, Optional<Long> retryAfterSeconds) {
    /** Without anything more. */
    public static Problem of(ProblemKind kind, String detail) {
        return new Problem(kind, detail, Map.of(), Optional.empty());
    }

    static Problem again(ProblemKind kind, long seconds, String detail) {
        return new Problem(kind, detail, Map.of(), Optional.of(seconds));
    }

    /** Whether the cause belongs into the log under a number, and only the number to the client. */
    public boolean isIncident() {
        return kind == ProblemKind.INTERNAL_ERROR || kind == ProblemKind.OUTCOME_UNKNOWN;
    }

    /** As Spring has it. */
    public ProblemDetail toDetail() {
        ProblemDetail problem = ProblemDetail.forStatus(kind.status());
        problem.setType(kind.uri());
        problem.setTitle(kind.title());
        problem.setDetail(detail);
        members.forEach(problem::setProperty);
        return problem;
    }
}
