package dev.rowlock.spring.idempotency;

import dev.rowlock.once.Answer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import org.springframework.http.HttpHeaders;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerAdapter;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** One request with a key and where its answer goes. */
record Exchange(
        HandlerAdapter methods,
        HttpServletRequest request,
        HttpServletResponse response,
        HandlerMethod handler,
        Idempotent annotation) {

    /** Runs the method and holds its answer back. */
    KeptResponse run() throws Exception {
        KeptResponse held = new KeptResponse(response);
        ModelAndView view = methods.handle(request, held, handler);
        if (view != null || request.isAsyncStarted()) {
            throw new IllegalStateException("@Idempotent on " + handler.getShortLogMessage()
                    + ": an answer that is rendered by a view, or made later, cannot be kept;"
                    + " return the body of the answer");
        }
        return held;
    }

    boolean isRefusal(Throwable failure) {
        return Arrays.stream(annotation.refusals()).anyMatch(type -> type.isInstance(failure));
    }

    /** What the application answers to the exception. */
    Answer refusal(HandlerExceptionResolver resolver, Exception failure) throws Exception {
        KeptResponse held = new KeptResponse(response);
        if (resolver.resolveException(request, held, handler, failure) == null) {
            throw failure;
        }
        return answer(held);
    }

    Answer answer(KeptResponse held) {
        Answer answer = Answer.of(held.getStatus(), held.body());
        answer = with(answer, HttpHeaders.CONTENT_TYPE, held);
        for (String name : annotation.headers()) {
            answer = with(answer, name, held);
        }
        return answer;
    }

    private static Answer with(Answer answer, String name, KeptResponse held) {
        String value = held.header(name);
        return value == null ? answer : answer.withHeader(name, value);
    }

    /** The first answer goes out as a repeat's will: what is not kept, no client can rely on. */
    void send(Answer answer, boolean replayed) throws IOException {
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        if (replayed) {
            response.setHeader(IdempotencyKey.REPLAYED, "true");
        }
        byte[] body = answer.body();
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
