package dev.rowlock.jobs;

import dev.rowlock.Row;
import org.jspecify.annotations.Nullable;

/**
 * A job as a claim handed it out.
 *
 * @param attempt its number, from 1
 * @param fence which claim of this job it was: every later one has a larger number
 * @param place in its group, if it has one
 */
record Claim(
        long id,
        String queue,
        String type,
        String payload,
        int attempt,
        int maxAttempts,
        long fence,
        @Nullable String group,
        long place) {

    static Claim of(String queue, Row row) {
        String group = row.get("group_key", String.class);
        return new Claim(
                row.getLong("id"),
                queue,
                row.getString("type"),
                row.getString("payload"),
                row.getInt("attempts"),
                row.getInt("max_attempts"),
                row.getLong("fence"),
                group,
                group == null ? 0 : row.getLong("group_place"));
    }
}
