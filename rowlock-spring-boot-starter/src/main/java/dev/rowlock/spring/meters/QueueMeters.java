package dev.rowlock.spring.meters;

import dev.rowlock.jobs.QueueStats;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows how one queue stands. The database is asked when the meters are read, once for all of them, and not again within five
 * seconds. Whoever reads them waits a second for it at most: what is not known by then is {@code NaN}, so that a database that does not
 * answer, or a pool that is used up, does not take all other meters with it.
 */
final class QueueMeters implements MeterBinder {
    private static final Logger LOG = LoggerFactory.getLogger(QueueMeters.class);
    private static final Duration FRESH = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Supplier<List<QueueStats>> all;
    private final String queue;
    private final LongSupplier nanoTime;
    /** Under way, or the last that was; one at a time. */
    private @Nullable Reading reading;

    private record Reading(long begunAtNanos, CompletableFuture<Read> read) {}

    /** @param stats empty if the queue has no jobs */
    private record Read(long atNanos, Optional<QueueStats> stats, boolean known) {}

    /** @param all how each queue stands that has any jobs */
    QueueMeters(Supplier<List<QueueStats>> all, String queue, LongSupplier nanoTime) {
        this.all = all;
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
        Reading current = current();
        long waited = nanoTime.getAsLong() - current.begunAtNanos();
        try {
            return current.read().get(Math.max(0, PATIENCE.toNanos() - waited), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.debug("the queue's figures are not there yet", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return unknown();
    }

    private synchronized Reading current() {
        long now = nanoTime.getAsLong();
        Reading known = reading;
        if (known == null
                || (known.read().isDone()
                        && now - known.read().getNow(unknown()).atNanos() >= FRESH.toNanos())) {
            known = new Reading(
                    now,
                    CompletableFuture.supplyAsync(this::read, QueueMeters::start)
                            .exceptionally(this::failed));
            reading = known;
        }
        return known;
    }

    /** In a thread of its own, which may have to wait for as long as the pool and the statement's limit let it. */
    private static void start(Runnable work) {
        Thread thread = new Thread(work, "rowlock-queue-meters");
        thread.setDaemon(true);
        thread.start();
    }

    private Read read() {
        Optional<QueueStats> found =
                all.get().stream().filter(stats -> stats.queue().equals(queue)).findFirst();
        return new Read(nanoTime.getAsLong(), found, true);
    }

    private Read failed(Throwable error) {
        LOG.debug("the queue's figures could not be read", error);
        return unknown();
    }

    private Read unknown() {
        return new Read(nanoTime.getAsLong(), Optional.empty(), false);
    }
}
