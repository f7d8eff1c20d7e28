package dev.rowlock.spring.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.Rowlock;
import dev.rowlock.RowlockSchema;
import dev.rowlock.spring.Http;
import dev.rowlock.spring.TestApp;
import dev.rowlock.spring.TestDatabase;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A request with a key has its effect once and is answered alike each time. */
class IdempotentTest {
    private static TestApp app;
    private static Http http;

    @BeforeAll
    static void start() {
        app = TestApp.jdbc(
                TestDatabase.create("CREATE TABLE payment (id serial PRIMARY KEY, text text NOT NULL)"),
                Map.of(
                        "test.web", "true",
                        "rowlock.http.problems.enabled", "true",
                        "rowlock.idempotency.wait-limit", "100ms",
                        "rowlock.idempotency.max-request", "1KB"),
                Payments.class,
                Scope.class);
        RowlockSchema.install(app.bean(Rowlock.class));
        http = new Http(app.port());
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @BeforeEach
    void empty() {
        app.database().sql("TRUNCATE payment RESTART IDENTITY", "TRUNCATE rowlock_once");
        app.bean(Payments.class).calls().set(0);
    }

    static class Scope {
        @Bean
        IdempotencyScope scope() {
            return request -> request.getHeader("X-Tenant") + " " + request.getRequestURI();
        }
    }

    static final class TooPoor extends RuntimeException {}

    @RestController
    static class Payments {
        private final AtomicInteger calls = new AtomicInteger();
        private final JdbcTemplate jdbc;

        Payments(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        public AtomicInteger calls() {
            return calls;
        }

        private int pay(String text) {
            calls.incrementAndGet();
            return jdbc.queryForObject("INSERT INTO payment (text) VALUES (?) RETURNING id", Integer.class, text);
        }

        @Transactional
        @Idempotent
        @PostMapping("/payments")
        public ResponseEntity<Map<String, Object>> make(@RequestBody Map<String, Object> request) {
            int id = pay(request.toString());
            return ResponseEntity.created(URI.create("/payments/" + id)).body(Map.of("id", id));
        }

        @Idempotent(required = false)
        @PostMapping("/optional")
        public Map<String, Object> optional() {
            return Map.of("id", pay("optional"));
        }

        @Idempotent(refusals = TooPoor.class)
        @PostMapping("/refused")
        public String refused() {
            pay("undone");
            throw new TooPoor();
        }

        @Idempotent
        @PostMapping("/fails")
        public String fails() {
            pay("undone");
            throw new IllegalArgumentException("no");
        }

        @Idempotent
        @PostMapping("/loses-once")
        public Map<String, Object> losesOnce() {
            int id = pay("again");
            if (calls.get() == 1) {
                jdbc.execute("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '40001'; END $$");
            }
            return Map.of("calls", calls.get(), "id", id);
        }

        @ExceptionHandler
        ResponseEntity<String> tooPoor(TooPoor failure) {
            return ResponseEntity.status(409).header("ETag", "\"poor\"").body("too poor");
        }
    }

    private static Http.Answer post(String path, String key, String body, String... headers) {
        String[] all = new String[headers.length + 2];
        System.arraycopy(headers, 0, all, 2, headers.length);
        all[0] = IdempotencyKey.HEADER;
        all[1] = key;
        return http.send("POST", path, body, all);
    }

    private long payments() {
        return app.database().number("SELECT count(*) FROM payment");
    }

    @Test
    void repeatIsAnsweredByteForByteAndHasNoEffect() {
        Http.Answer first = post("/payments", "\"k1\"", "{\"amount\":1}");
        Http.Answer repeat = post("/payments", "k1", "{\"amount\":1}");

        assertThat(first.status()).isEqualTo(201);
        assertThat(first.header("Location")).isEqualTo("/payments/1");
        assertThat(first.header(IdempotencyKey.REPLAYED)).isEmpty();
        assertThat(repeat.status()).isEqualTo(201);
        assertThat(repeat.body()).isEqualTo(first.body()).isEqualTo("{\"id\":1}");
        assertThat(repeat.header("Location")).isEqualTo("/payments/1");
        assertThat(repeat.header("Content-Type")).isEqualTo(first.header("Content-Type"));
        assertThat(repeat.header(IdempotencyKey.REPLAYED)).isEqualTo("true");
        assertThat(payments()).isEqualTo(1);
    }

    /** The broken twin: where the key is optional and left out, a repeat is done again. */
    @Test
    void repeatWithoutAKeyHasItsEffectTwice() {
        http.send("POST", "/optional", "");
        http.send("POST", "/optional", "");
        assertThat(payments()).isEqualTo(2);
        post("/optional", "k", "");
        post("/optional", "k", "");
        assertThat(payments()).isEqualTo(3);
    }

    @Test
    void keyIsRequiredAndMustBeReadable() {
        Http.Answer none = http.send("POST", "/payments", "{}");
        assertThat(none.status()).isEqualTo(400);
        assertThat(none.json("type")).isEqualTo("urn:rowlock:problem:idempotency-key-required");
        Http.Answer malformed = post("/payments", "\"", "{}");
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(malformed.json("type")).isEqualTo("urn:rowlock:problem:invalid-request");
        assertThat(payments()).isZero();
    }

    @Test
    void otherPayloadWithTheSameKeyIsRefused() {
        post("/payments", "k", "{\"amount\":1}");
        Http.Answer other = post("/payments", "k", "{\"amount\":2}");
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.json("type")).isEqualTo("urn:rowlock:problem:idempotency-key-reused");
        assertThat(payments()).isEqualTo(1);
    }

    @Test
    void requestInFlightIsAConflictWithRetryAfter() throws Exception {
        CompletableFuture<Http.Answer> first;
        try (TestDatabase.Held held = app.database().hold("LOCK TABLE payment IN EXCLUSIVE MODE")) {
            first = CompletableFuture.supplyAsync(() -> post("/payments", "k", "{}"));
            app.database().awaitBlocked(1);
            Http.Answer second = post("/payments", "k", "{}");
            assertThat(second.status()).isEqualTo(409);
            assertThat(second.json("type")).isEqualTo("urn:rowlock:problem:request-in-flight");
            assertThat(second.header("Retry-After")).isEqualTo("1");
        }
        assertThat(first.get().status()).isEqualTo(201);
        assertThat(payments()).isEqualTo(1);
    }

    @Test
    void sameKeyInAnotherScopeIsAnotherKey() {
        assertThat(post("/payments", "k", "{}", "X-Tenant", "one").json("id")).isEqualTo(1);
        assertThat(post("/payments", "k", "{}", "X-Tenant", "two").json("id")).isEqualTo(2);
    }

    @Test
    void failureRollsBackEffectAndKey() {
        assertThat(post("/fails", "k", "").status()).isEqualTo(500);
        assertThat(payments()).isZero();
        assertThat(app.database().number("SELECT count(*) FROM rowlock_once")).isZero();
    }

    @Test
    void namedRefusalIsKeptAndItsEffectUndone() {
        Http.Answer first = post("/refused", "k", "");
        Http.Answer repeat = post("/refused", "k", "");
        assertThat(first.status()).isEqualTo(409);
        assertThat(first.body()).isEqualTo("too poor");
        assertThat(repeat.body()).isEqualTo("too poor");
        assertThat(repeat.header("ETag")).isEqualTo("\"poor\"");
        assertThat(repeat.header(IdempotencyKey.REPLAYED)).isEqualTo("true");
        assertThat(app.bean(Payments.class).calls()).hasValue(1);
        assertThat(payments()).isZero();
    }

    @Test
    void attemptThatLosesIsRunAgainWithTheWholeRequest() {
        Http.Answer answer = post("/loses-once", "k", "{}");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json("calls")).isEqualTo(2);
        assertThat(payments()).isEqualTo(1);
    }

    @Test
    void bodyBeyondTheLimitIsTooLarge() {
        assertThat(post("/payments", "k", "{\"a\":\"" + "x".repeat(2_000) + "\"}")
                        .status())
                .isEqualTo(413);
    }
}
