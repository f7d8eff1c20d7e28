package dev.rowlock.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What operators see of jobs, and can do. */
@AuditedService
class JobTest {
    private final TestService service = TestService.shared();

    /** A job that has failed for good: its order is not there. */
    private long dead(String payload) {
        return service.database().number("""
                INSERT INTO rowlock_job (queue, type, payload, state, priority, run_at, attempts, max_attempts, last_error)
                VALUES ('default', 'confirm-order', '%s', 'dead', 5, now(), 10, 10, 'it was not to be')
                RETURNING id""".formatted(payload));
    }

    @Test
    void deadJobIsSeenWithItsErrorAndCanBeRunAgain() {
        long wallet = service.wallet(100);
        long order = service.database()
                .number("INSERT INTO shop_order (wallet_id, total) VALUES (%d, 7) RETURNING id".formatted(wallet));
        long job = dead(Long.toString(order));

        JsonNode seen = service.get("/jobs?state=dead&limit=1000")
                .json()
                .valueStream()
                .filter(one -> one.path("id").asLong() == job)
                .findFirst()
                .orElseThrow();
        assertThat(seen.path("state").asString()).isEqualTo("dead");
        assertThat(seen.path("lastError").asString()).isEqualTo("it was not to be");

        Answer requeued = service.post("/jobs/" + job + "/requeue", "");
        assertThat(requeued.status()).as(requeued.body()).isEqualTo(200);
        Awaitility.await("the confirmation")
                .atMost(Duration.ofSeconds(20))
                .until(() ->
                        service.database().number("SELECT count(*) FROM notification WHERE order_id = " + order) == 1);
    }

    @Test
    void stateIsOneOfThree() {
        service.get("/jobs").isInvalid("state");
        service.get("/jobs?state=done").isInvalid("state");
        assertThat(service.get("/jobs?state=running").status()).isEqualTo(200);
    }

    @Test
    void jobThatIsNotThereIsNamed() {
        assertThat(service.post("/jobs/999999/requeue", "")
                        .isProblem(404, "job-not-found")
                        .number("job"))
                .isEqualTo(999_999);
    }
}
