package dev.rowlock.spring.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** Answers what no {@code @ExceptionHandler} of the application has taken and {@link Translation} knows. */
final class ProblemResolver implements HandlerExceptionResolver {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemResolver.class);

    private final List<ConflictListener> listeners;

    ProblemResolver(List<ConflictListener> listeners) {
        this.listeners = listeners;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        Problem problem = problem(request, failure);
        if (problem == null || response.isCommitted()) {
            return null;
        }
        listeners.forEach(listener -> listener.onAnswered(problem.kind()));
        String incident = null;
        if (problem.isIncident()) {
            incident = UUID.randomUUID().toString();
            LOG.error("incident {}", incident, failure);
        }
        try {
            write(response, problem, request.getRequestURI(), incident);
        } catch (IOException e) {
            LOG.debug("the client is gone, nobody to answer", e);
        }
        return new ModelAndView();
    }

    private static @Nullable Problem problem(HttpServletRequest request, Exception failure) {
        if (failure instanceof RequestRefusedException refused) {
            return refused.problem();
        }
        boolean conditional = request.getHeader(HttpHeaders.IF_MATCH) != null;
        return Translation.of(failure, conditional).orElse(null);
    }

    private static void write(HttpServletResponse response, Problem problem, String path, @Nullable String incident)
            throws IOException {
        response.setStatus(problem.kind().status());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        problem.retryAfterSeconds()
                .ifPresent(seconds -> response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds)));
        byte[] body = ProblemJson.of(problem, path, incident);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
