package dev.rowlock.spring.idempotency;

import dev.rowlock.DatabaseException;
import dev.rowlock.once.Once;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Frees the space of expired keys, in portions that hold nobody up. Every instance does it; they pass over each other's. */
final class KeyCleanUp implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(KeyCleanUp.class);
    private static final String NO_TABLE = "42P01";
    private static final int PORTION = 1_000;
    private static final int MOST_PORTIONS = 50;

    private final Once once;
    private final Duration interval;
    private @Nullable ScheduledExecutorService running;

    /** @param interval zero for never */
    KeyCleanUp(Once once, Duration interval) {
        this.once = once;
        this.interval = interval;
    }

    void deleteExpired() {
        for (int i = 0; i < MOST_PORTIONS; i++) {
            if (once.cleanUp(PORTION) < PORTION) {
                return;
            }
        }
    }

    /** A task that throws would not be run again. */
    private void tryToDelete() {
        try {
            deleteExpired();
        } catch (DatabaseException e) {
            if (e.sqlState().filter(NO_TABLE::equals).isPresent()) {
                LOG.debug("there is no table of idempotency keys, so nothing to delete", e);
            } else {
                LOG.warn("expired idempotency keys could not be deleted; they will be next time", e);
            }
        } catch (RuntimeException e) {
            LOG.warn("expired idempotency keys could not be deleted; they will be next time", e);
        }
    }

    @Override
    public void start() {
        if (interval.isZero()) {
            return;
        }
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "rowlock-key-clean-up");
            thread.setDaemon(true);
            return thread;
        });
        long millis = interval.toMillis();
        var ignored = executor.scheduleWithFixedDelay(this::tryToDelete, millis, millis, TimeUnit.MILLISECONDS);
        running = executor;
    }

    @Override
    public void stop() {
        if (running != null) {
            running.shutdownNow();
            running = null;
        }
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }
}
