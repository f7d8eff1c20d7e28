package dev.rowlock.service.problem;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;

/** Answers for requests that Tomcat refuses before any application sees them, instead of its page with version and trace. */
final class ProblemReportValve extends ErrorReportValve {

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setCharacterEncoding(StandardCharsets.UTF_8);
        try {
            PrintWriter writer = response.getReporter();
            if (writer != null) {
                writer.write(json(StatusProblems.detail(status)));
                response.finishResponse();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the error answer could not be sent", e);
        }
    }

    /** All texts are our own and need no escaping. */
    private static String json(ProblemDetail problem) {
        return "{\"type\":\"%s\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}"
                .formatted(problem.getType(), problem.getTitle(), problem.getStatus(), problem.getDetail());
    }
}
