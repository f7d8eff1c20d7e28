package dev.rowlock.service.problem;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;

/** Answers for errors of which only the status is known. */
final class StatusProblems {
    private StatusProblems() {}

    static ProblemDetail detail(int status) {
        ProblemType type = ProblemType.forStatus(status);
        ProblemDetail problem = Problems.detail(type, text(type));
        if (type.status().value() != status) {
            problem.setStatus(status);
            HttpStatus known = HttpStatus.resolve(status);
            if (known != null) {
                problem.setTitle(known.getReasonPhrase());
            }
        }
        return problem;
    }

    private static String text(ProblemType type) {
        return switch (type) {
            case NOT_FOUND -> "There is nothing at this path; /v3/api-docs lists what there is.";
            case METHOD_NOT_ALLOWED -> "The Allow header lists the methods of this path.";
            case NOT_ACCEPTABLE -> "Answers are application/json, errors application/problem+json.";
            case UNSUPPORTED_MEDIA_TYPE -> "Send the body as application/json; the Accept header lists all forms.";
            case CONTENT_TOO_LARGE -> "Send less.";
            case DATABASE_UNAVAILABLE -> "Try again later.";
            case INTERNAL_ERROR -> "The log tells what failed.";
            default -> "The request was refused before it was looked at closely.";
        };
    }
}
