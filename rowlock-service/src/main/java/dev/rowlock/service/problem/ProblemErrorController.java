package dev.rowlock.service.problem;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import org.apache.coyote.BadRequestException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers for errors raised outside of controllers: in filters and in the servlet container. */
@Hidden
@RestController
final class ProblemErrorController implements ErrorController {

    @RequestMapping("${spring.web.error.path:/error}")
    ResponseEntity<Object> error(HttpServletRequest request) {
        if (!(request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer status)) {
            // Not sent here by an error: somebody asked for the path itself.
            return Problems.answer(StatusProblems.detail(404));
        }
        ProblemDetail problem = problem(status, request.getAttribute(RequestDispatcher.ERROR_EXCEPTION));
        if (request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) instanceof String path) {
            problem.setInstance(URI.create(path));
        }
        return Problems.answer(problem);
    }

    private static ProblemDetail problem(int status, @Nullable Object failure) {
        if (failure instanceof BadRequestException) {
            // The body broke the rules of HTTP, which Tomcat notices while it is being read.
            return StatusProblems.detail(400);
        }
        return failure instanceof Throwable thrown ? Problems.internalError(thrown) : StatusProblems.detail(status);
    }
}
