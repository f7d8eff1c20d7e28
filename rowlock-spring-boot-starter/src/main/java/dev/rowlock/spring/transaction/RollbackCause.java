package dev.rowlock.spring.transaction;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a unit of work left Spring's transaction to be rolled back. Where the failure was caught, Spring's own exception at the commit
 * does not know it, and whoever decides on another attempt must.
 */
public final class RollbackCause implements AutoCloseable {
    private static final ThreadLocal<@Nullable RollbackCause> CURRENT = new ThreadLocal<>();

    private final @Nullable RollbackCause before = CURRENT.get();
    private @Nullable Throwable cause;

    private RollbackCause() {}

    /** Listens in this thread until it is closed. */
    public static RollbackCause listen() {
        RollbackCause listening = new RollbackCause();
        CURRENT.set(listening);
        return listening;
    }

    static void note(Throwable cause) {
        RollbackCause listening = CURRENT.get();
        if (listening != null) {
            listening.cause = cause;
        }
    }

    /** The last one that was heard. */
    public Optional<Throwable> heard() {
        return Optional.ofNullable(cause);
    }

    @Override
    public void close() {
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }
}
