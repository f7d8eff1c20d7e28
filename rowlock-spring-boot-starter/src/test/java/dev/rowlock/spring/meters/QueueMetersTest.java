package dev.rowlock.spring.meters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.jobs.QueueStats;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What the meters of a queue show, and whom they keep waiting, when the database does not answer. */
class QueueMetersTest {
    private static final int METERS = 5;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicLong clock = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();

    private void bind(Supplier<List<QueueStats>> database) {
        Supplier<List<QueueStats>> counted = () -> {
            asked.incrementAndGet();
            return database.get();
        };
        new QueueMeters(counted, "mail", clock::get).bindTo(registry);
    }

    private static List<QueueStats> seven() {
        return List.of(
                new QueueStats("other", 1, 1, 1, 1, Duration.ZERO),
                new QueueStats("mail", 7, 7, 7, 7, Duration.ofSeconds(7)));
    }

    private List<Double> scrape() {
        List<Double> values = registry.getMeters().stream()
                .map(Meter::measure)
                .map(measured -> measured.iterator().next())
                .map(Measurement::getValue)
                .toList();
        assertThat(values).hasSize(METERS);
        return values;
    }

    private Gauge due() {
        return registry.get("rowlock.jobs.depth").tag("state", "due").gauge();
    }

    @Test
    void databaseIsAskedOnceForAllAndAgainAfterFiveSeconds() {
        bind(QueueMetersTest::seven);
        assertThat(scrape()).containsOnly(7.0);
        clock.addAndGet(Duration.ofSeconds(4).toNanos());
        assertThat(scrape()).containsOnly(7.0);
        assertThat(asked).hasValue(1);
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(scrape()).containsOnly(7.0);
        assertThat(asked).hasValue(2);
    }

    @Test
    void queueWithoutJobsIsEmpty() {
        bind(List::of);
        assertThat(scrape()).containsOnly(0.0);
    }

    @Test
    void databaseThatDoesNotAnswerKeepsNobodyAndIsNotAskedBesides() {
        CountDownLatch answers = new CountDownLatch(1);
        bind(() -> {
            clock.addAndGet(Duration.ofSeconds(1).toNanos());
            try {
                answers.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return seven();
        });
        assertThat(scrape()).containsOnly(Double.NaN);
        clock.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(scrape()).containsOnly(Double.NaN);
        assertThat(asked).hasValue(1);

        answers.countDown();
        Awaitility.await().until(() -> due().value() == 7);
        assertThat(asked).hasValue(1);
    }

    @Test
    void databaseThatRefusesIsAskedAgainOnlyAfterFiveSeconds() {
        bind(() -> {
            throw new IllegalStateException("refused");
        });
        assertThat(scrape()).containsOnly(Double.NaN);
        assertThat(scrape()).containsOnly(Double.NaN);
        assertThat(asked).hasValue(1);
        clock.addAndGet(Duration.ofSeconds(5).toNanos());
        assertThat(scrape()).containsOnly(Double.NaN);
        assertThat(asked).hasValue(2);
    }
}
