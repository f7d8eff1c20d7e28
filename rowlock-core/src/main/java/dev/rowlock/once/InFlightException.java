package dev.rowlock.once;

import dev.rowlock.RowlockException;
import java.time.Duration;

/**
 * Another request with the same key is under way and did not end within the wait limit. Nothing was done. The client can repeat the
 * request with the same key. HTTP: 409 with {@code Retry-After}.
 */
public final class InFlightException extends RowlockException {
    private final transient OnceKey key;
    private final Duration retryAfter;

    InFlightException(OnceKey key, Duration waited, Throwable cause) {
        super(
                "a request with idempotency key " + key + " is under way and did not end within " + waited.toMillis()
                        + " ms; repeat it with the same key",
                cause);
        this.key = key;
        this.retryAfter = waited;
    }

    /** The key. */
    public OnceKey key() {
        return key;
    }

    /** When to come back: after as long again as was waited now, at least a second. */
    public Duration retryAfter() {
        Duration least = Duration.ofSeconds(1);
        return retryAfter.compareTo(least) < 0 ? least : retryAfter;
    }
}
