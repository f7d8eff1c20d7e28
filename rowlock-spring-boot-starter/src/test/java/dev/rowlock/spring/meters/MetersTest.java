package dev.rowlock.spring.meters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.jayway.jsonpath.JsonPath;
import dev.rowlock.Rowlock;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Table;
import dev.rowlock.counter.Counter;
import dev.rowlock.jobs.Job;
import dev.rowlock.jobs.JobRequest;
import dev.rowlock.jobs.Jobs;
import dev.rowlock.spring.Http;
import dev.rowlock.spring.RowlockCustomizer;
import dev.rowlock.spring.TestApp;
import dev.rowlock.spring.TestDatabase;
import dev.rowlock.spring.actuate.RowlockEndpointContributor;
import dev.rowlock.spring.jobs.JobType;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What operators see, and that the dashboard shows nothing that is not there. */
class MetersTest {
    private static final Table NOTES = Table.of("note", "id");
    private static final Pattern METER = Pattern.compile("\\browlock_[a-z_]+");
    private static TestApp app;
    private static Http http;

    private final Rowlock rowlock = app.bean(Rowlock.class);

    /** What the application has. */
    static class Beans {
        @Bean
        JobType mail() {
            return new JobType() {
                @Override
                public String type() {
                    return "mail";
                }

                @Override
                public void run(Job job) {
                    assertThat(job.payload()).isEqualTo("hello");
                }
            };
        }

        @Bean
        RowlockCustomizer fewAttempts() {
            return builder -> builder.maxAttempts(2).retryDelay(Duration.ofMillis(1), Duration.ofMillis(1));
        }

        @Bean
        RowlockEndpointContributor waits() {
            return new RowlockEndpointContributor() {
                @Override
                public String name() {
                    return "lockWaits";
                }

                @Override
                public Map<String, ?> details() {
                    return Map.of("waiting", 3);
                }
            };
        }

        @Bean
        RowlockEndpointContributor broken() {
            return new RowlockEndpointContributor() {
                @Override
                public String name() {
                    return "audit";
                }

                @Override
                public Map<String, ?> details() {
                    throw new IllegalStateException("secret");
                }
            };
        }

        @Bean
        Seen seen() {
            return new Seen();
        }
    }

    /** Keeps the observations that have ended. */
    static final class Seen implements ObservationHandler<Observation.Context> {
        private final ConcurrentLinkedQueue<String> ended = new ConcurrentLinkedQueue<>();

        @Override
        public void onStop(Observation.Context context) {
            if (context.getName().startsWith("rowlock")) {
                ended.add(context.getName() + " "
                        + context.getLowCardinalityKeyValue("outcome").getValue() + " retried="
                        + context.getLowCardinalityKeyValue("retried").getValue());
            }
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    @BeforeAll
    static void start() {
        TestDatabase database = TestDatabase.create(
                "CREATE TABLE note (id bigint PRIMARY KEY, size bigint NOT NULL)", "INSERT INTO note VALUES (1, 0)");
        RowlockSchema.install(Rowlock.over(database.unpooled()));
        app = TestApp.jdbc(
                database,
                Map.of(
                        "test.web", "true",
                        "management.endpoints.web.exposure.include", "rowlock,prometheus",
                        "management.prometheus.metrics.export.enabled", "true",
                        "management.defaults.metrics.export.enabled", "true"),
                Beans.class);
        http = new Http(app.port());
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    private static String scrape() {
        Http.Answer answer = http.get("/actuator/prometheus");
        assertThat(answer.status()).isEqualTo(200);
        return answer.body();
    }

    private void everythingOnce() {
        rowlock.run(tx -> tx.update(NOTES, 1).set("size", 1).apply().orThrow());
        app.bean(CounterMeters.class)
                .count("notes", Counter.over(rowlock, NOTES, "size").min(0).build());
        app.bean(Jobs.class).enqueue(JobRequest.of("mail", "hello"));
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> scrape().contains("rowlock_jobs_seconds_count{outcome=\"done\",type=\"mail\"}"));
        assertThat(rowlock.update(NOTES, 99).set("size", 1).apply().getClass().getSimpleName())
                .isEqualTo("Missing");
    }

    @Test
    void everyMeterOfTheDashboardIsThere() throws IOException {
        everythingOnce();
        String dashboard = resource("/dev/rowlock/spring/grafana-dashboard.json");
        List<String> expressions = JsonPath.read(dashboard, "$.panels[*].targets[*].expr");
        assertThat(expressions).hasSizeGreaterThan(20);
        Set<String> shown = names(String.join("\n", expressions));
        shown.addAll(names(JsonPath.<List<String>>read(dashboard, "$.templating.list[*].query")
                .toString()));
        String scrape = scrape();
        assertThat(names(scrape.replaceAll("(?m)^#.*$", ""))).containsAll(shown);

        List<Integer> ids = JsonPath.read(dashboard, "$.panels[*].id");
        assertThat(ids).doesNotHaveDuplicates();
    }

    private static Set<String> names(String text) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = METER.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group());
        }
        return names;
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = MetersTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Only the program's own words are tags, never a key, a message or a path. */
    @Test
    void tagsAreOfFewValues() {
        everythingOnce();
        Set<String> tags = new TreeSet<>();
        scrape().lines().filter(line -> line.startsWith("rowlock_")).forEach(line -> {
            Matcher tag = Pattern.compile("([a-z]+)=\"").matcher(line);
            while (tag.find()) {
                tags.add(tag.group(1));
            }
        });
        assertThat(tags)
                .isSubsetOf(
                        "by",
                        "counter",
                        "error",
                        "granted",
                        "kind",
                        "outcome",
                        "queue",
                        "replayed",
                        "retried",
                        "sqlstate",
                        "state",
                        "status",
                        "strength",
                        "table",
                        "type");
    }

    @Test
    void conflictsThatAnAttemptAbsorbsCountApartFromThoseThatReachTheCaller() {
        double absorbed = value("rowlock_conflicts_absorbed_total{by=\"unit\"}");
        double surfaced = value("rowlock_conflicts_surfaced_total{by=\"unit\"}");
        int[] runs = {0};
        rowlock.run(tx -> {
            if (++runs[0] == 1) {
                tx.query("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '40P01'; END $$");
            }
        });
        assertThatThrownBy(() -> rowlock.run(tx -> tx.query("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '40001'; END $$")))
                .hasMessageContaining("gave up after 2");

        assertThat(value("rowlock_conflicts_absorbed_total{by=\"unit\"}")).isEqualTo(absorbed + 1);
        assertThat(value("rowlock_conflicts_surfaced_total{by=\"unit\"}")).isEqualTo(surfaced + 2);
        assertThat(value("rowlock_attempts_failed_total{sqlstate=\"40P01\"}")).isGreaterThanOrEqualTo(1);
    }

    private static double value(String series) {
        return scrape().lines()
                .filter(line -> line.startsWith(series))
                .map(line -> Double.valueOf(line.substring(series.length()).strip()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void unitOfWorkIsObserved() {
        assertThat(app.bean(ObservationRegistry.class).isNoop()).isFalse();
        app.bean(Seen.class).ended.clear();
        rowlock.run(tx -> tx.lock(NOTES, 1));
        assertThatThrownBy(() -> rowlock.run(tx -> tx.query("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '40001'; END $$")))
                .isNotNull();

        assertThat(app.bean(Seen.class).ended)
                .contains(
                        "rowlock.transaction committed retried=false", "rowlock.transaction rolled-back retried=true");
        assertThat(app.bean(ObservationRegistry.class).getCurrentObservation()).isNull();
    }

    @Test
    void endpointTellsLimitsMetersAndWhatOthersAdd() {
        everythingOnce();
        Http.Answer answer = http.get("/actuator/rowlock");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json("limits.lockTimeoutMillis")).isEqualTo(2_000);
        assertThat(answer.json("limits.isolation")).isEqualTo("READ_COMMITTED");
        assertThat(((Number) answer.json("meters['rowlock.units']")).doubleValue())
                .isPositive();
        assertThat(answer.json("lockWaits.waiting")).isEqualTo(3);
        assertThat(answer.body()).contains("\"audit\"").doesNotContain("secret");
    }

    private static long holds(String outcome) {
        Timer timer = app.bean(MeterRegistry.class)
                .find("rowlock.lock.hold")
                .tag("outcome", outcome)
                .timer();
        return timer == null ? 0 : timer.count();
    }

    /** Locks are held until Spring ends the transaction, however many units of work took part in it. */
    @Test
    void holdOfATransactionOfSpringsEndsWithIt() {
        TransactionTemplate spring = new TransactionTemplate(app.bean(PlatformTransactionManager.class));
        long committed = holds("committed");
        long rolledBack = holds("rolled-back");
        spring.executeWithoutResult(status -> {
            rowlock.run(tx -> tx.update(NOTES, 1).add("size", 1).apply().orThrow());
            rowlock.run(tx -> tx.update(NOTES, 1).add("size", 1).apply().orThrow());
            assertThat(holds("committed")).isEqualTo(committed);
        });
        assertThat(holds("committed")).isEqualTo(committed + 1);
        spring.executeWithoutResult(status -> {
            rowlock.run(tx -> tx.update(NOTES, 1).add("size", 1).apply().orThrow());
            status.setRollbackOnly();
        });
        spring.executeWithoutResult(status -> rowlock.query("SELECT size FROM note"));
        assertThat(holds("committed")).isEqualTo(committed + 1);
        assertThat(holds("rolled-back")).isEqualTo(rolledBack + 1);
    }
}
