package dev.rowlock.spring.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.spring.Http;
import dev.rowlock.spring.TestApp;
import dev.rowlock.spring.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What operators see of locks, and of SQL that should have had some. */
class WatchTest {
    private TestApp app;

    @AfterEach
    void stop() {
        app.close();
    }

    private Http start(boolean audited) {
        app = TestApp.jdbc(
                TestDatabase.create(
                        "CREATE TABLE note (id bigint PRIMARY KEY, size bigint NOT NULL)",
                        "INSERT INTO note VALUES (1, 0)"),
                Map.of(
                        "test.web", "true",
                        "rowlock.watch.audit.enabled", Boolean.toString(audited),
                        "management.endpoints.web.exposure.include", "rowlock,prometheus",
                        "management.prometheus.metrics.export.enabled", "true",
                        "management.defaults.metrics.export.enabled", "true"));
        return new Http(app.port());
    }

    /** The lost update that everybody writes once. */
    private void growOfWhatWasRead(String lock) {
        JdbcTemplate jdbc = app.bean(JdbcTemplate.class);
        new TransactionTemplate(app.bean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
            Long size = jdbc.queryForObject("SELECT size FROM note WHERE id = ?" + lock, Long.class, 1L);
            assertThat(jdbc.update("UPDATE note SET size = ? WHERE id = ?", size, 1L))
                    .isEqualTo(1);
        });
    }

    @Test
    void auditCountsWhatItFinds() {
        Http http = start(true);
        growOfWhatWasRead(" FOR NO KEY UPDATE");
        assertThat(http.get("/actuator/rowlock").json("audit['read-then-write']"))
                .isEqualTo(0);

        growOfWhatWasRead("");
        assertThat(http.get("/actuator/rowlock").json("audit['read-then-write']"))
                .isEqualTo(1);
        assertThat(http.get("/actuator/prometheus").body())
                .contains("rowlock_audit_findings_total{hazard=\"read-then-write\"} 1.0")
                .contains("rowlock_audit_findings_total{hazard=\"lock-order\"} 0.0");
    }

    @Test
    void nothingStandsBeforeThePoolUnlessItIsAskedFor() {
        Http http = start(false);
        growOfWhatWasRead("");
        assertThat(app.bean(DataSource.class)).isInstanceOf(HikariDataSource.class);
        assertThat(http.get("/actuator/rowlock").body()).doesNotContain("\"audit\"");
        assertThat(http.get("/actuator/prometheus").body()).doesNotContain("rowlock_audit");
    }

    @Test
    void waitsAreTold() {
        Http http = start(false);
        assertThat(http.get("/actuator/rowlock").json("lockWaits.waits")).isEqualTo(List.of());
        CompletableFuture<Void> waiting;
        try (TestDatabase.Held held = app.database().hold("UPDATE note SET size = 1 WHERE id = 1")) {
            waiting = CompletableFuture.runAsync(() -> growOfWhatWasRead(""));
            app.database().awaitBlocked(1);

            Http.Answer answer = http.get("/actuator/rowlock");
            assertThat(answer.json("lockWaits.waiting")).isEqualTo(1);
            assertThat(answer.json("lockWaits.complete")).isEqualTo(true);
            assertThat(answer.json("lockWaits.waits[0].waitsFor")).isEqualTo("row id=1 of note (FOR NO KEY UPDATE)");
            assertThat(answer.json("lockWaits.waits[0].sql").toString()).startsWith("UPDATE note SET size = ");
            assertThat(answer.json("lockWaits.waits[0].blockers[0].sql"))
                    .isEqualTo("UPDATE note SET size = 1 WHERE id = 1");
        }
        waiting.join();
    }
}
