package dev.rowlock;

import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/** Everything that a {@link Rowlock} was built with, checked. */
record Settings(
        Limits limits,
        boolean limitsPerTransaction,
        int maxRows,
        Retries retries,
        Duration commitCheckLimit,
        Isolation isolation,
        boolean readOnly,
        boolean pipelining,
        SafeListener listener,
        LongSupplier nanoTime,
        Sleeper sleeper,
        TransactionSource outer) {

    Settings withIsolation(Isolation level) {
        return new Settings(
                limits,
                limitsPerTransaction,
                maxRows,
                retries,
                commitCheckLimit,
                level,
                readOnly,
                pipelining,
                listener,
                nanoTime,
                sleeper,
                outer);
    }

    Settings withReadOnly() {
        return new Settings(
                limits,
                limitsPerTransaction,
                maxRows,
                retries,
                commitCheckLimit,
                isolation,
                true,
                pipelining,
                listener,
                nanoTime,
                sleeper,
                outer);
    }

    Settings withRetries(Retries changed) {
        return new Settings(
                limits,
                limitsPerTransaction,
                maxRows,
                changed,
                commitCheckLimit,
                isolation,
                readOnly,
                pipelining,
                listener,
                nanoTime,
                sleeper,
                outer);
    }

    /** Refuses to join a transaction at a weaker level than this. */
    void requireLevelOf(Isolation open) {
        if (isolation.compareTo(open) > 0) {
            throw new IllegalStateException("a unit of work at " + isolation.sql()
                    + " cannot join the open transaction at " + open.sql() + "; give the outermost call that level");
        }
    }

    /**
     * When to run a function again, and how long to wait before.
     *
     * @param maxAttempts the first one included
     * @param baseDelay upper bound of the wait before the second attempt; doubled with each one more
     * @param maxDelay upper bound of any wait
     * @param budget no attempt begins later than this after the first began
     * @param lockTimeouts whether 55P03 is worth another attempt too
     * @param random from 0 inclusive to 1 exclusive
     */
    record Retries(
            int maxAttempts,
            Duration baseDelay,
            Duration maxDelay,
            Duration budget,
            boolean lockTimeouts,
            DoubleSupplier random) {

        boolean covers(Throwable failure) {
            return SqlStates.isRetryable(failure) || (lockTimeouts && SqlStates.isLockNotAvailable(failure));
        }

        /**
         * Full jitter: anything between nothing and an exponentially growing bound, so that two transactions that collided do
         * not meet again (M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
         */
        Duration delayAfter(int attempt) {
            double bound =
                    Math.min((double) maxDelay.toNanos(), (double) baseDelay.toNanos() * Math.pow(2, attempt - 1));
            return Duration.ofNanos((long) (bound * random.getAsDouble()));
        }

        Retries withMaxAttempts(int attempts) {
            return new Retries(checkAttempts(attempts), baseDelay, maxDelay, budget, lockTimeouts, random);
        }

        static int checkAttempts(int attempts) {
            if (attempts < 1 || attempts > 100) {
                throw new IllegalArgumentException(
                        "maxAttempts is " + attempts + "; it must be from 1 (never again) to 100");
            }
            return attempts;
        }
    }
}
