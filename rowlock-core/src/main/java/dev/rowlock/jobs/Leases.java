package dev.rowlock.jobs;

import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Takes jobs back whose lease has ended, by the database's clock: their worker is dead, cut off, or was stopped for too long. Looks
 * only at leases that ended since the last look, and from time to time at all of them, for the same reason as {@link ClaimStart}.
 */
final class Leases {
    static final int MOST = 500;

    private static final String TAKE_BACK = """
            WITH ended AS MATERIALIZED (
                SELECT id
                FROM rowlock_job
                WHERE queue = ?
                  AND state = 'running'
                  AND lease_until > ?::timestamptz
                  AND lease_until <= now()
                ORDER BY lease_until
                LIMIT ?
                FOR UPDATE SKIP LOCKED
            ),
            taken AS (
                UPDATE rowlock_job
                SET state = CASE WHEN attempts >= max_attempts THEN 'dead' ELSE 'ready' END,
                    run_at = clock_timestamp(),
                    lease_until = NULL,
                    last_error = 'the lease of attempt ' || attempts || ' ended before its worker reported'
                WHERE id = ANY (ARRAY (SELECT id FROM ended))
                RETURNING id, state
            )
            SELECT now() AS at,
                   t.*
            FROM (SELECT 1) AS always
            LEFT JOIN taken AS t ON true""";

    private static final String FRONT = "-infinity";
    private static final Duration OVERLAP = Duration.ofMillis(500);
    private static final int COST_SHARE = 50;

    private final Rowlock rowlock;
    private final String queue;
    private final LongSupplier nanoTime;
    private String from = FRONT;
    private long frontDueAt;

    Leases(Rowlock rowlock, String queue, LongSupplier nanoTime) {
        this.rowlock = rowlock;
        this.queue = queue;
        this.nanoTime = nanoTime;
        this.frontDueAt = nanoTime.getAsLong();
    }

    /** Makes jobs whose lease has ended ready for others, or dead after their last attempt; returns how many, at most {@link #MOST}. */
    int takeBack() {
        long begin = nanoTime.getAsLong();
        boolean front = begin - frontDueAt >= 0;
        List<Row> rows = rowlock.query(TAKE_BACK, queue, front ? FRONT : from, MOST);
        if (front) {
            long now = nanoTime.getAsLong();
            long pause = Math.max(ClaimStart.SHORTEST_INTERVAL.toNanos() * 5, COST_SHARE * (now - begin));
            frontDueAt = now + Math.min(ClaimStart.LONGEST_INTERVAL.toNanos(), pause);
        }
        Row first = rows.get(0);
        boolean none = first.isNull("id");
        if (none || rows.size() < MOST) {
            Instant at = first.getInstant("at");
            from = at.minus(OVERLAP).toString();
        }
        return none ? 0 : rows.size();
    }
}
