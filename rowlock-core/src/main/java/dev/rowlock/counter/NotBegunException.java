package dev.rowlock.counter;

import dev.rowlock.RowlockException;
import org.jspecify.annotations.Nullable;

/**
 * The request was not begun, so that nothing of it is in the database for certain. The caller can try later. HTTP: 503 with
 * {@code Retry-After}.
 */
public final class NotBegunException extends RowlockException {
    /** Why a request was not begun. */
    public enum Reason {
        /** As many requests were waiting already as the queue holds. */
        QUEUE_FULL,
        /** It waited in the queue for as long as it may. */
        TIMED_OUT,
        /** Its thread was interrupted while it waited in the queue; the thread's interrupt flag is set. */
        INTERRUPTED,
        /** The executor would not run it. */
        REJECTED,
    }

    private final Reason reason;

    NotBegunException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Why. */
    public Reason reason() {
        return reason;
    }
}
