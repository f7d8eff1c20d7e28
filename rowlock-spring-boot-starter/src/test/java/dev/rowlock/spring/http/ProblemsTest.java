package dev.rowlock.spring.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.Lock;
import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import dev.rowlock.spring.Http;
import dev.rowlock.spring.TestApp;
import dev.rowlock.spring.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ResponseStatusException;

/** What Rowlock's errors are over HTTP, and that the application's own handlers come first. */
class ProblemsTest {
    private static final Table NOTES = Table.of("note", "id").withVersion("version");
    private static TestApp app;
    private static Http http;

    @BeforeAll
    static void start() {
        app = TestApp.jdbc(
                TestDatabase.create(
                        "CREATE TABLE note (id bigint PRIMARY KEY, size int NOT NULL, version bigint NOT NULL)"),
                Map.of(
                        "test.web", "true",
                        "rowlock.http.problems.enabled", "true",
                        "rowlock.lock-timeout", "200ms",
                        "rowlock.statement-timeout", "1s",
                        "rowlock.max-attempts", "2"),
                Notes.class,
                OwnHandlers.class);
        http = new Http(app.port());
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @BeforeEach
    void makeNote() {
        app.database().sql("TRUNCATE note", "INSERT INTO note VALUES (1, 0, 7)");
    }

    /** What the application has its own words for. */
    static final class OwnException extends RuntimeException {
        OwnException(Throwable cause) {
            super(cause);
        }
    }

    @RestController
    static class Notes {
        private final Rowlock rowlock;

        Notes(Rowlock rowlock) {
            this.rowlock = rowlock;
        }

        @GetMapping("/notes/{id}/{what}")
        String act(@PathVariable("id") long id, @PathVariable("what") String what) {
            switch (what) {
                case "lock" -> rowlock.runWithLock(NOTES, id, (tx, note) -> {});
                case "no-wait" ->
                    rowlock.withLock(NOTES, id, Lock.forUpdate().noWait(), (tx, note) -> note.getInt("size"));
                case "stale" ->
                    rowlock.update(NOTES, id)
                            .set("size", 1)
                            .ifVersion(3)
                            .apply()
                            .orThrow();
                case "refused" ->
                    rowlock.update(NOTES, id)
                            .set("size", 1)
                            .onlyIf("size > ?", 5)
                            .apply()
                            .orThrow();
                case "conflict" -> rowlock.query("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '40001'; END $$");
                case "slow" -> rowlock.query("SELECT pg_sleep(60)");
                case "broken" -> rowlock.query("SELECT secret FROM nowhere");
                case "own" -> {
                    try {
                        rowlock.runWithLock(NOTES, 99, (tx, note) -> {});
                    } catch (RuntimeException e) {
                        throw new OwnException(e);
                    }
                }
                case "gone" -> throw new ResponseStatusException(HttpStatus.GONE);
                default -> throw new IllegalArgumentException(what);
            }
            return what;
        }

        @PutMapping("/notes/{id}")
        ResponseEntity<String> replace(@PathVariable("id") long id, EntityTags ifMatch) {
            long version = rowlock.update(NOTES, id)
                    .set("size", 9)
                    .ifVersion(ifMatch.version())
                    .apply()
                    .orThrow()
                    .version();
            return ResponseEntity.ok().eTag(EntityTags.tag(version)).body("ok");
        }

        @GetMapping("/optional")
        String optional(Optional<EntityTags> ifMatch) {
            return ifMatch.map(EntityTags::header).orElse("none");
        }
    }

    @RestControllerAdvice
    static class OwnHandlers {
        @ExceptionHandler
        ResponseEntity<String> own(OwnException failure) {
            return ResponseEntity.status(418).body("own words");
        }
    }

    private static Http.Answer isProblem(Http.Answer answer, int status, String kind) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(answer.json("type")).isEqualTo("urn:rowlock:problem:" + kind);
        assertThat(answer.json("status")).isEqualTo(status);
        assertThat(answer.header("Retry-After")).matches(status == 503 || kind.equals("row-held") ? "[1-9]" : "");
        return answer;
    }

    @Test
    void missingRowIsNotFound() {
        Http.Answer answer = isProblem(http.get("/notes/99/lock"), 404, "not-found");
        assertThat(answer.json("instance")).isEqualTo("/notes/99/lock");
    }

    @Test
    void staleVersionIsAConflictAndAFailedPreconditionWithIfMatch() {
        Http.Answer answer = isProblem(http.get("/notes/1/stale"), 409, "stale");
        assertThat(answer.json("currentVersion")).isEqualTo(7);
        assertThat(answer.json("expectedVersion")).isEqualTo(3);
        isProblem(http.send("PUT", "/notes/1", "", "If-Match", "\"3\""), 412, "precondition-failed");
    }

    @Test
    void changeOfTheVersionThatWasReadIsMade() {
        Http.Answer answer = http.send("PUT", "/notes/1", "", "If-Match", "\"7\"");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("ETag")).isEqualTo("\"8\"");
    }

    @Test
    void ifMatchIsRequiredWhereItIsAnArgument() {
        isProblem(http.send("PUT", "/notes/1", ""), 428, "precondition-required");
        isProblem(http.send("PUT", "/notes/1", "", "If-Match", "seven"), 400, "invalid-request");
        assertThat(http.get("/optional").body()).isEqualTo("none");
        assertThat(http.get("/optional", "If-Match", "*").body()).isEqualTo("*");
    }

    @Test
    void guardThatDoesNotHoldIsAConflict() {
        isProblem(http.get("/notes/1/refused"), 409, "refused");
    }

    @Test
    void heldRowIsToBeTriedAgain() {
        try (TestDatabase.Held held = app.database().hold("SELECT FROM note FOR UPDATE")) {
            isProblem(http.get("/notes/1/lock"), 503, "lock-timeout");
            isProblem(http.get("/notes/1/no-wait"), 409, "row-held");
        }
    }

    @Test
    void conflictThatEveryAttemptMeetsIsToBeTriedAgainAndCounted() {
        double before = answers();
        isProblem(http.get("/notes/1/conflict"), 503, "too-many-conflicts");
        assertThat(answers()).isEqualTo(before + 1);
    }

    private static double answers() {
        return app.bean(MeterRegistry.class)
                .get("rowlock.http.problems")
                .tags("kind", "too-many-conflicts", "status", "503")
                .counter()
                .count();
    }

    @Test
    void slowStatementIsToBeTriedAgain() {
        isProblem(http.get("/notes/1/slow"), 503, "statement-timeout");
    }

    @Test
    void programsFaultIsAnIncidentAndTellsNothing() {
        Http.Answer answer = isProblem(http.get("/notes/1/broken"), 500, "internal-error");
        assertThat(answer.body()).doesNotContain("secret");
        assertThat(answer.json("incident").toString()).hasSize(36);
    }

    /** The cause is an error of Rowlock's, but the application has taken the exception around it. */
    @Test
    void ownHandlerComesFirst() {
        Http.Answer answer = http.get("/notes/1/own");
        assertThat(answer.status()).isEqualTo(418);
        assertThat(answer.body()).isEqualTo("own words");
    }

    @Test
    void whatIsNotTheDatabasesIsLeftToSpring() {
        assertThat(http.get("/notes/1/gone").status()).isEqualTo(410);
        assertThat(http.get("/notes/1/unknown").header("Content-Type")).doesNotContain("problem");
    }
}
