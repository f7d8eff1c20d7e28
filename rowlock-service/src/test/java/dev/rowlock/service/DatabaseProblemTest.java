package dev.rowlock.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the database does not allow in time is told with what the client can do about it. */
@AuditedService
class DatabaseProblemTest {
    private static TestService service;

    private long wallet;

    @BeforeAll
    static void startImpatientService() {
        service = TestService.start(Map.of(
                "rowlock.lock-timeout", "500ms",
                "rowlock.statement-timeout", "2s",
                "rowlock.max-attempts", "1",
                "spring.datasource.hikari.maximum-pool-size", "2",
                "spring.datasource.hikari.connection-timeout", "3000"));
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void makeWallet() {
        wallet = service.wallet(100);
    }

    private Answer charge() {
        return service.post("/wallets/" + wallet + "/charges", "{\"amount\":1}");
    }

    private void isToBeTriedAgain(Answer answer, String type) {
        answer.isProblem(503, type);
        assertThat(answer.header("Retry-After")).matches("[1-9][0-9]*");
    }

    @Test
    void heldRowIsToBeTriedAgain() {
        long other = service.wallet(0);
        try (TestDatabase.Held held = service.database().hold("wallet", wallet)) {
            isToBeTriedAgain(charge(), "lock-timeout");
            isToBeTriedAgain(
                    service.post("/transfers", "{\"from\":%d,\"to\":%d,\"amount\":1}".formatted(wallet, other)),
                    "lock-timeout");
            assertThat(service.balance(wallet)).as("readers are not blocked").isEqualTo(100);
        }
        assertThat(charge().number("balance")).isEqualTo(99);
    }

    @Test
    void rowThatIsNotWaitedForIsAConflict() {
        try (TestDatabase.Held held = service.database().hold("wallet", wallet)) {
            Answer answer = service.get("/test/no-wait/" + wallet).isProblem(409, "row-held");
            assertThat(answer.header("Retry-After")).isEqualTo("1");
        }
    }

    @Test
    void slowStatementIsToBeTriedAgain() {
        service.database()
                .sql(
                        "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS"
                                + " 'BEGIN PERFORM pg_sleep(60); RETURN NEW; END'",
                        "CREATE TRIGGER slow BEFORE UPDATE ON wallet FOR EACH ROW EXECUTE FUNCTION slow()");
        try {
            isToBeTriedAgain(charge(), "statement-timeout");
        } finally {
            service.database().sql("DROP TRIGGER slow ON wallet", "DROP FUNCTION slow()");
        }
        assertThat(service.balance(wallet)).isEqualTo(100);
    }

    private Answer chargeWithKey() {
        return service.json(
                "POST", "/wallets/" + wallet + "/charges", "{\"amount\":1}", "Idempotency-Key", "ended-session");
    }

    /** In a transaction it is rolled back for certain. A charge without a key is one statement, which may have been committed. */
    @Test
    void endedSessionIsToBeTriedAgainWhereNothingCanHaveBeenDone() {
        service.database()
                .sql(
                        "CREATE FUNCTION kill() RETURNS trigger LANGUAGE plpgsql AS"
                                + " 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END'",
                        "CREATE TRIGGER kill BEFORE UPDATE ON wallet FOR EACH ROW EXECUTE FUNCTION kill()");
        try {
            isToBeTriedAgain(chargeWithKey(), "database-unavailable");
            assertThat(charge().isProblem(500, "outcome-unknown").json("detail").asString())
                    .contains("look before trying again");
        } finally {
            service.database().sql("DROP TRIGGER kill ON wallet", "DROP FUNCTION kill()");
        }
        assertThat(chargeWithKey().number("balance")).isEqualTo(99);
    }

    @Test
    void conflictInEveryAttemptIsToBeTriedAgain() {
        service.database()
                .sql(
                        "CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS"
                                + " 'BEGIN RAISE EXCEPTION SQLSTATE ''40001''; END'",
                        "CREATE TRIGGER lose BEFORE UPDATE ON wallet FOR EACH ROW EXECUTE FUNCTION lose()");
        try {
            isToBeTriedAgain(charge(), "too-many-conflicts");
        } finally {
            service.database().sql("DROP TRIGGER lose ON wallet", "DROP FUNCTION lose()");
        }
        assertThat(service.get("/actuator/prometheus").body())
                .containsPattern("rowlock_attempts_failed_total\\{sqlstate=\"40001\"} [1-9]");
    }

    @Test
    void exhaustedPoolIsToBeTriedAgain() {
        try (TestService.Borrowed all = service.borrowAllConnections()) {
            isToBeTriedAgain(charge(), "database-unavailable");
        }
        assertThat(service.balance(wallet)).isEqualTo(100);
    }
}
