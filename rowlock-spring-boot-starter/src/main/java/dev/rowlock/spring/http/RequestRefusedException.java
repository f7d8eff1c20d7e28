package dev.rowlock.spring.http;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.ErrorResponseException;

/**
 * A request cannot be carried out as it came: a header is missing or cannot be read, or its precondition does not hold. Spring answers it
 * with its status even where problem details are off.
 */
public final class RequestRefusedException extends ErrorResponseException {
    private final transient Problem problem;
    private final String header;

    /**
     * Because of this header.
     *
     * @param header its name
     */
    public RequestRefusedException(String header, Problem problem) {
        super(HttpStatusCode.valueOf(problem.kind().status()), problem.toDetail(), null);
        this.header = header;
        this.problem = problem;
        problem.retryAfterSeconds()
                .ifPresent(seconds -> getHeaders().set(HttpHeaders.RETRY_AFTER, Long.toString(seconds)));
    }

    /** The name of the header that is at fault. */
    public String header() {
        return header;
    }

    /** What is answered. */
    public Problem problem() {
        return problem;
    }
}
