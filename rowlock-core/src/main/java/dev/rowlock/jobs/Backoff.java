package dev.rowlock.jobs;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * How long a job waits after a failed attempt: anything between nothing and a bound that doubles with each attempt, so that jobs which
 * failed together do not come back together (full jitter, as in {@link dev.rowlock.Rowlock.Builder#retryDelay}).
 *
 * @param base the bound after the first attempt
 * @param max of the bound
 * @param random from 0 inclusive to 1 exclusive
 */
record Backoff(Duration base, Duration max, DoubleSupplier random) {
    Duration after(int attempt) {
        double bound = Math.min((double) max.toMillis(), (double) base.toMillis() * Math.pow(2, attempt - 1));
        return Duration.ofMillis((long) (bound * random.getAsDouble()));
    }
}
