package dev.rowlock.jpa;

import dev.rowlock.Lock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Limits the wait for locks of one request, and brings back what was in force before. Hibernate's own hint for this does nothing on
 * PostgreSQL.
 *
 * <p>The settings are those of the transaction, so a rollback, also to a savepoint, brings them back by itself.
 */
record WaitLimit(@Nullable Duration limit, boolean isDefault) {
    /**
     * What the request says, or at most the default where the session has no shorter one of its own.
     *
     * @param standard or null to leave the session's alone
     */
    static WaitLimit of(Lock lock, @Nullable Duration standard) {
        Duration wanted = lock.waitLimit();
        return wanted == null ? new WaitLimit(standard, true) : new WaitLimit(wanted, false);
    }

    /** Whether there is something to set, and to set back. */
    boolean isSet() {
        return limit != null;
    }

    String begin() {
        String value = "'" + (limit == null ? 0 : limit.toMillis()) + "ms'";
        return "SELECT set_config('rowlock.lock_timeout', current_setting('lock_timeout'), true),"
                + " set_config('lock_timeout', "
                + (isDefault
                        ? "CASE WHEN current_setting('lock_timeout')::interval BETWEEN interval '1ms' AND interval "
                                + value + " THEN current_setting('lock_timeout') ELSE " + value + " END"
                        : value)
                + ", true)";
    }

    static String end() {
        return "SELECT set_config('lock_timeout', current_setting('rowlock.lock_timeout'), true)";
    }
}
