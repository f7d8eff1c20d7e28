package dev.rowlock.jobs;

import dev.rowlock.Row;
import java.time.Instant;
import java.util.Optional;

/**
 * A job as it stood when it was looked at, for showing; it may have changed since.
 *
 * @param runAt when it is or was due; the next attempt, if one has failed
 * @param attempts how often it was started
 * @param leaseUntil until when its worker holds it, if it runs
 * @param lastError why its last attempt failed, cut to 4,000 characters
 */
public record JobInfo(
        long id,
        String queue,
        String type,
        String payload,
        JobState state,
        int priority,
        Instant runAt,
        Optional<String> group,
        Optional<String> uniqueKey,
        int attempts,
        int maxAttempts,
        Optional<Instant> leaseUntil,
        Optional<String> lastError,
        Instant enqueuedAt) {

    static JobInfo of(Row row) {
        return new JobInfo(
                row.getLong("id"),
                row.getString("queue"),
                row.getString("type"),
                row.getString("payload"),
                JobState.of(row.getString("state")),
                row.getInt("priority"),
                row.getInstant("run_at"),
                text(row, "group_key"),
                text(row, "unique_key"),
                row.getInt("attempts"),
                row.getInt("max_attempts"),
                row.isNull("lease_until") ? Optional.empty() : Optional.of(row.getInstant("lease_until")),
                text(row, "last_error"),
                row.getInstant("enqueued_at"));
    }

    private static Optional<String> text(Row row, String column) {
        return Optional.ofNullable(row.get(column, String.class));
    }
}
