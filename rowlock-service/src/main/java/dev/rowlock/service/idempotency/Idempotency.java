package dev.rowlock.service.idempotency;

import dev.rowlock.Rowlock;
import dev.rowlock.once.Answer;
import dev.rowlock.once.Fingerprint;
import dev.rowlock.once.Once;
import dev.rowlock.once.OnceKey;
import dev.rowlock.once.OnceRefusal;
import dev.rowlock.once.OnceResult;
import dev.rowlock.service.problem.ProblemException;
import dev.rowlock.service.problem.ProblemType;
import dev.rowlock.service.problem.Problems;
import dev.rowlock.spring.RowlockProperties;
import dev.rowlock.spring.idempotency.IdempotencyKey;
import dev.rowlock.spring.idempotency.Replay;
import java.net.URI;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Does a request once for its {@code Idempotency-Key} and answers every repeat with the same bytes. A refusal (404, 409, 422) is an
 * answer too and is repeated; a request that could not be read, or failed inside, leaves the key free. Keys are kept for 24 hours.
 */
@Component
public final class Idempotency {
    /** The request header. */
    public static final String HEADER = IdempotencyKey.HEADER;
    /** The answer header of a repeat. */
    public static final String REPLAYED = IdempotencyKey.REPLAYED;

    private static final String SCOPE = "http";
    private static final List<String> KEPT_HEADERS = List.of(HttpHeaders.LOCATION, HttpHeaders.ETAG);

    private final Once once;
    private final JsonMapper json;
    private final List<Replay> listeners;

    Idempotency(Rowlock rowlock, RowlockProperties properties, JsonMapper json, List<Replay> listeners) {
        this.once = Once.builder(rowlock).waitLimit(properties.lockTimeout()).build();
        this.json = json;
        this.listeners = listeners;
    }

    /**
     * For operations that accept a key: without one, every request is done.
     *
     * @param header the header, if there is one
     * @param path the path of the POST
     * @param request its body, as it was bound: spelling does not make it another request
     * @param work what is to be done; it runs in the transaction that keeps its answer
     * @throws ProblemException 400 if the key cannot be read
     */
    public ResponseEntity<?> accept(
            @Nullable String header, String path, Object request, Supplier<ResponseEntity<?>> work) {
        return header == null ? work.get() : run(IdempotencyKey.parse(header), path, request, work);
    }

    /**
     * For operations that need a key. Otherwise as {@link #accept}.
     *
     * @throws ProblemException 400 if there is no key
     */
    public ResponseEntity<?> require(
            @Nullable String header, String path, Object request, Supplier<ResponseEntity<?>> work) {
        if (header == null) {
            throw new ProblemException(
                    ProblemType.IDEMPOTENCY_KEY_REQUIRED,
                    "Send " + HEADER
                            + " with a new value, such as a UUID, and the same one again when you repeat the request.");
        }
        return run(IdempotencyKey.parse(header), path, request, work);
    }

    private ResponseEntity<?> run(IdempotencyKey key, String path, Object request, Supplier<ResponseEntity<?>> work) {
        OnceResult result = once.run(
                new OnceKey(SCOPE, key.value()),
                Fingerprint.of("POST", path, json.writeValueAsBytes(request)),
                tx -> kept(path, work));
        listeners.forEach(listener -> listener.onAnswered(result.replayed()));
        Answer answer = result.answer();
        ResponseEntity.BodyBuilder response = ResponseEntity.status(answer.status());
        answer.headers().forEach(response::header);
        if (result.replayed()) {
            response.header(REPLAYED, "true");
        }
        return response.body(answer.body());
    }

    private Answer kept(String path, Supplier<ResponseEntity<?>> work) {
        ResponseEntity<?> made;
        try {
            made = work.get();
        } catch (ProblemException refusal) {
            ProblemDetail problem = Problems.of(refusal);
            problem.setInstance(URI.create(path));
            throw new OnceRefusal(
                    answer(problem.getStatus(), problem, MediaType.APPLICATION_PROBLEM_JSON, HttpHeaders.EMPTY));
        }
        Object body = made.getBody();
        if (body == null) {
            throw new IllegalStateException("the answer to POST " + path + " has no body to keep");
        }
        return answer(made.getStatusCode().value(), body, MediaType.APPLICATION_JSON, made.getHeaders());
    }

    private Answer answer(int status, Object body, MediaType type, HttpHeaders headers) {
        Answer answer =
                Answer.of(status, json.writeValueAsBytes(body)).withHeader(HttpHeaders.CONTENT_TYPE, type.toString());
        for (String name : KEPT_HEADERS) {
            String value = headers.getFirst(name);
            answer = value == null ? answer : answer.withHeader(name, value);
        }
        return answer;
    }
}
