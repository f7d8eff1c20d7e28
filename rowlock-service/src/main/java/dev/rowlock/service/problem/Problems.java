package dev.rowlock.service.problem;

import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

/** Makes the answers. */
public final class Problems {
    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

    private Problems() {}

    static ProblemDetail detail(ProblemType type, String detail) {
        ProblemDetail problem = ProblemDetail.forStatus(type.status());
        problem.setType(type.uri());
        problem.setTitle(type.title());
        problem.setDetail(detail);
        return problem;
    }

    /** The problem details that the exception stands for. */
    public static ProblemDetail of(ProblemException exception) {
        ProblemDetail problem = detail(exception.type(), exception.detail());
        exception.members().forEach(problem::setProperty);
        return problem;
    }

    /** The failure goes into the log under an id; only the id goes out. */
    static void incident(ProblemDetail problem, Throwable failure) {
        String incident = UUID.randomUUID().toString();
        LOG.error("incident {}", incident, failure);
        problem.setProperty("incident", incident);
    }

    static ProblemDetail internalError(Throwable failure) {
        ProblemDetail problem =
                detail(ProblemType.INTERNAL_ERROR, "Give the incident to the operator; the log tells what failed.");
        incident(problem, failure);
        return problem;
    }

    /** Problem details whatever the client accepts: an error in another form than asked for beats none. */
    static ResponseEntity<Object> answer(ProblemDetail problem, HttpHeaders headers) {
        return ResponseEntity.status(problem.getStatus())
                .headers(headers)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem);
    }

    static ResponseEntity<Object> answer(ProblemDetail problem) {
        return answer(problem, new HttpHeaders());
    }
}
