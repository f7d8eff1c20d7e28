package dev.rowlock.spring.idempotency;

import dev.rowlock.once.Fingerprint;
import dev.rowlock.once.OnceKey;
import dev.rowlock.spring.http.Problem;
import dev.rowlock.spring.http.ProblemKind;
import dev.rowlock.spring.http.RequestRefusedException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerAdapter;
import org.springframework.web.servlet.ModelAndView;

/**
 * Stands before Spring's own adapter for controller methods and calls it inside of the transaction that keeps the answer: there the answer
 * is seen as it goes out, whatever the method returns and whoever writes it.
 */
final class IdempotentAdapter implements HandlerAdapter, Ordered {
    private final Supplier<? extends HandlerAdapter> methods;
    private final KeptAnswers answers;
    private final IdempotencyScope scope;
    private final int maxRequestBytes;

    IdempotentAdapter(
            Supplier<? extends HandlerAdapter> methods,
            KeptAnswers answers,
            IdempotencyScope scope,
            int maxRequestBytes) {
        this.methods = methods;
        this.answers = answers;
        this.scope = scope;
        this.maxRequestBytes = maxRequestBytes;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public boolean supports(Object handler) {
        return handler instanceof HandlerMethod method && annotation(method) != null;
    }

    private static @Nullable Idempotent annotation(HandlerMethod method) {
        return AnnotatedElementUtils.findMergedAnnotation(method.getMethod(), Idempotent.class);
    }

    @Override
    public @Nullable ModelAndView handle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws Exception {
        Idempotent annotation = annotation((HandlerMethod) handler);
        String header = request.getHeader(IdempotencyKey.HEADER);
        if (annotation == null || (header == null && !annotation.required())) {
            return methods.get().handle(request, response, handler);
        }
        if (header == null) {
            throw refused(
                    ProblemKind.IDEMPOTENCY_KEY_REQUIRED,
                    "Send " + IdempotencyKey.HEADER
                            + " with a new value, such as a UUID, and the same one again when you repeat the request.");
        }
        IdempotencyKey key = IdempotencyKey.parse(header);
        byte[] body = read(request);
        answers.answer(
                new OnceKey(Scopes.fit(scope.of(request)), key.value()),
                fingerprint(request, body),
                new Exchange(
                        methods.get(), new KeptRequest(request, body), response, (HandlerMethod) handler, annotation));
        return null;
    }

    private byte[] read(HttpServletRequest request) throws IOException {
        byte[] body = request.getInputStream().readNBytes(maxRequestBytes + 1);
        if (body.length > maxRequestBytes) {
            throw refused(
                    ProblemKind.CONTENT_TOO_LARGE,
                    "A request with an " + IdempotencyKey.HEADER + " may have up to " + maxRequestBytes + " bytes.");
        }
        return body;
    }

    /** The query may decide the effect. */
    private static Fingerprint fingerprint(HttpServletRequest request, byte[] body) {
        String query = request.getQueryString();
        String target = query == null ? request.getRequestURI() : request.getRequestURI() + "?" + query;
        return Fingerprint.of(request.getMethod(), target, body);
    }

    private static RequestRefusedException refused(ProblemKind kind, String detail) {
        return new RequestRefusedException(IdempotencyKey.HEADER, Problem.of(kind, detail));
    }

    /** Spring 6 asks for it, Spring 7 does not know it any more. */
    public long getLastModified(HttpServletRequest request, Object handler) {
        return -1;
    }

    /** A scope that is too long, or not ASCII, is known by its digest. */
    static final class Scopes {
        private Scopes() {}

        static String fit(String scope) {
            boolean fits = !scope.isEmpty()
                    && scope.length() <= OnceKey.MAX_SCOPE
                    && scope.chars().allMatch(c -> c >= ' ' && c <= '~');
            return fits ? scope : "sha256 " + Fingerprint.of(scope.getBytes(StandardCharsets.UTF_8));
        }
    }
}
