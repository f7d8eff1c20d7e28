package dev.rowlock.watch.waits;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A session that waits or is waited for.
 *
 * @param pid its process id on the server; 0 is a prepared transaction, which has no session
 * @param user its role
 * @param application its {@code application_name}, empty if it gave none; the id of a prepared transaction
 * @param visible whether this role may see the rest; without it everything below is null (see {@link LockWaits})
 * @param client address it comes from; null over a local socket
 * @param state {@code active}, {@code idle in transaction} and so on, as in {@code pg_stat_activity}
 * @param stateAge how long it has been in that state
 * @param transactionAge how long its transaction has been open
 * @param sql the statement that runs, or the last one that ran; the server cuts it at {@code track_activity_query_size} bytes
 */
public record Session(
        int pid,
        @Nullable String user,
        String application,
        boolean visible,
        @Nullable String client,
        @Nullable String state,
        @Nullable Duration stateAge,
        @Nullable Duration transactionAge,
        @Nullable String sql) {}
