package dev.rowlock.service;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What fails inside is told to the log, and only its number to the client. */
@AuditedService
class IncidentTest {
    private final TestService service = TestService.shared();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.rowlock.service.problem.Problems");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
        logger.setAdditive(false);
    }

    @AfterEach
    void stopListening() {
        logger.setAdditive(true);
        logger.detachAppender(log);
    }

    private void isInTheLogOnly(Answer answer, String secret) {
        assertThat(answer.body()).doesNotContain(secret);
        String incident = answer.json("incident").asString();
        assertThat(incident).hasSize(36);
        List<ILoggingEvent> events = List.copyOf(log.list);
        assertThat(events).hasSize(1);
        assertThat(events.get(0).getFormattedMessage()).contains(incident);
        assertThat(events.get(0).getThrowableProxy().getStackTraceElementProxyArray())
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/test/unexpected", "/test/error", "/test/filter"})
    void stackTraceGoesToTheLogAndItsNumberToTheClient(String path) {
        isInTheLogOnly(service.get(path).isProblem(500, "internal-error"), "secret");
    }

    @Test
    void unknownOutcomeSaysToLookFirst() {
        Answer answer = service.get("/test/commit-unknown").isProblem(500, "outcome-unknown");
        assertThat(answer.json("detail").asString()).contains("look before trying again");
        assertThat(answer.header("Retry-After")).isEmpty();
        isInTheLogOnly(answer, "secret");
    }

    @Test
    void brokenSchemaIsAnInternalError() {
        service.database().sql("ALTER TABLE wallet RENAME TO secret_wallet");
        try {
            isInTheLogOnly(service.get("/wallets/1").isProblem(500, "internal-error"), "wallet\"");
        } finally {
            service.database().sql("ALTER TABLE secret_wallet RENAME TO wallet");
        }
    }

    @Test
    void expectedOutcomesAreNotLogged() {
        service.get("/wallets/4711000").isProblem(404, "wallet-not-found");
        service.post("/wallets", "{").isInvalid("body");
        assertThat(log.list).isEmpty();
    }
}
