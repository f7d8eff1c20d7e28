package dev.rowlock.spring.retry;

import dev.rowlock.SqlStates;
import java.time.Duration;

/**
 * When to run again, and how long to wait before.
 *
 * @param attempts the first one included
 * @param budget no attempt begins later than this after the first
 * @param baseDelay upper bound of the wait before the second attempt; doubled with each one more
 * @param maxDelay upper bound of any wait
 * @param lockTimeouts whether 55P03 is worth another attempt too
 */
public record RetryLimits(int attempts, Duration budget, Duration baseDelay, Duration maxDelay, boolean lockTimeouts) {
    private static final int MOST_ATTEMPTS = 100;
    private static final Duration LONGEST = Duration.ofHours(24);

    /**
     * Checks them.
     *
     * @throws IllegalArgumentException if one is out of bounds, naming it
     */
    public RetryLimits {
        if (attempts < 1 || attempts > MOST_ATTEMPTS) {
            throw new IllegalArgumentException(
                    "attempts is " + attempts + "; it must be from 1 (never again) to " + MOST_ATTEMPTS);
        }
        check("budget", budget);
        check("baseDelay", baseDelay);
        check("maxDelay", maxDelay);
        if (baseDelay.compareTo(maxDelay) > 0) {
            throw new IllegalArgumentException("baseDelay (" + baseDelay.toMillis() + " ms) is longer than maxDelay ("
                    + maxDelay.toMillis() + " ms)");
        }
    }

    static RetryLimits of(RetryOnConflict annotation) {
        return new RetryLimits(
                annotation.attempts(),
                Duration.ofMillis(annotation.budgetMillis()),
                Duration.ofMillis(annotation.baseDelayMillis()),
                Duration.ofMillis(annotation.maxDelayMillis()),
                annotation.lockTimeouts());
    }

    private static void check(String name, Duration value) {
        if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " is " + value.toMillis() + " ms; it must be from 1 ms to 24 h");
        }
    }

    boolean covers(Throwable failure) {
        return SqlStates.isRetryable(failure) || (lockTimeouts && SqlStates.isLockNotAvailable(failure));
    }

    /** Full jitter; see {@link dev.rowlock.Rowlock.Builder#retryDelay}. */
    Duration delayAfter(int attempt, double random) {
        double bound = Math.min((double) maxDelay.toNanos(), (double) baseDelay.toNanos() * Math.pow(2, attempt - 1.0));
        return Duration.ofNanos((long) (bound * random));
    }
}
