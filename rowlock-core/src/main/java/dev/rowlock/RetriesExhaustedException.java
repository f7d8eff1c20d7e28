package dev.rowlock;

import java.util.List;

/**
 * Every attempt ended in a conflict with other transactions; all were rolled back. The caller can try later. HTTP: 503 with
 * {@code Retry-After}. The last attempt's error is the cause, the earlier ones are {@linkplain #getSuppressed() suppressed}.
 */
public final class RetriesExhaustedException extends RowlockException {
    private final int attempts;

    /**
     * For who runs a function again around a transaction of somebody else.
     *
     * @param failures every attempt's error, at least one
     * @param reason why there is no other attempt
     */
    public RetriesExhaustedException(List<? extends Throwable> failures, String reason) {
        super(
                "gave up after " + failures.size() + " attempt(s): " + reason + "; the last one ended with: "
                        + failures.get(failures.size() - 1).getMessage(),
                failures.get(failures.size() - 1));
        this.attempts = failures.size();
        failures.subList(0, failures.size() - 1).forEach(this::addSuppressed);
    }

    /** How many times the function was run. */
    public int attempts() {
        return attempts;
    }
}
