package dev.rowlock.spring.meters;

import dev.rowlock.jobs.Jobs;
import dev.rowlock.jobs.QueueStats;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows how one queue stands. The database is asked when the meters are read, once for all of them, and not again within five
 * seconds.
 */
final class QueueMeters implements MeterBinder {
    private static final Logger LOG = LoggerFactory.getLogger(QueueMeters.class);
    private static final Duration FRESH = Duration.ofSeconds(5);

    private final Jobs jobs;
    private final String queue;
    private final LongSupplier nanoTime;
    private final AtomicReference<@Nullable Read> last = new AtomicReference<>();

    /** @param stats empty if the queue has no jobs */
    private record Read(long atNanos, Optional<QueueStats> stats, boolean known) {}

    QueueMeters(Jobs jobs, String queue, LongSupplier nanoTime) {
        this.jobs = jobs;
        this.queue = queue;
        this.nanoTime = nanoTime;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        depth(registry, "due", QueueStats::due);
        depth(registry, "scheduled", QueueStats::scheduled);
        depth(registry, "running", QueueStats::running);
        depth(registry, "dead", QueueStats::dead);
        Gauge.builder(
                        "rowlock.jobs.oldest.due",
                        this,
                        meters -> meters.ask(stats -> stats.oldestDue().toMillis() / 1000.0))
                .description("For how long the job that is due longest has been waiting")
                .baseUnit("seconds")
                .tags(Tags.of("queue", queue))
                .register(registry);
    }

    private void depth(MeterRegistry registry, String state, ToDoubleFunction<QueueStats> figure) {
        Gauge.builder("rowlock.jobs.depth", this, meters -> meters.ask(figure))
                .description("Jobs in the queue, by state")
                .tags(Tags.of("queue", queue, "state", state))
                .register(registry);
    }

    private double ask(ToDoubleFunction<QueueStats> figure) {
        Read read = fresh();
        if (!read.known()) {
            return Double.NaN;
        }
        return read.stats().map(figure::applyAsDouble).orElse(0.0);
    }

    private Read fresh() {
        long now = nanoTime.getAsLong();
        Read before = last.get();
        if (before != null && now - before.atNanos() < FRESH.toNanos()) {
            return before;
        }
        Read read = read(now);
        last.set(read);
        return read;
    }

    private Read read(long now) {
        try {
            List<QueueStats> all = jobs.stats();
            return new Read(
                    now,
                    all.stream().filter(stats -> stats.queue().equals(queue)).findFirst(),
                    true);
        } catch (RuntimeException e) {
            LOG.debug("the queue's figures could not be read", e);
            return new Read(now, Optional.empty(), false);
        }
    }
}
