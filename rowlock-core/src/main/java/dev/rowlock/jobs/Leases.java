package dev.rowlock.jobs;

import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * Takes jobs back whose lease has ended, by the database's clock: their worker is dead, cut off, or was stopped for too long. Looks
 * only at leases that ended since the last look, and from time to time at all of them, for the same reason as {@link ClaimStart}. A lease
 * that has ended and could not be taken back yet keeps the next look from beginning behind it.
 */
final class Leases {
    static final int MOST = 500;

    /** A row that is locked is seen but not taken: its handler may be completing it in a transaction of its own. */
    private static final String TAKE_BACK = """
            WITH seen AS MATERIALIZED (
                SELECT id, lease_until
                FROM rowlock_job
                WHERE queue = ?
                  AND state = 'running'
                  AND lease_until > ?::timestamptz
                  AND lease_until <= now()
                ORDER BY lease_until
                LIMIT ?
            ),
            ended AS MATERIALIZED (
                SELECT id
                FROM rowlock_job
                WHERE id = ANY (ARRAY (SELECT id FROM seen))
                  AND lease_until <= now()
                FOR UPDATE SKIP LOCKED
            ),
            taken AS (
                UPDATE rowlock_job
                SET state = CASE WHEN attempts >= max_attempts THEN 'dead' ELSE 'ready' END,
                    lease_until = NULL,
                    last_error = 'the lease of attempt ' || attempts || ' ended before its worker reported'
                WHERE id = ANY (ARRAY (SELECT id FROM ended))
                RETURNING id
            )
            SELECT now() AS at,
                   (SELECT count(*) FROM taken) AS taken,
                   (SELECT min(lease_until) FROM seen WHERE id NOT IN (SELECT id FROM taken)) AS left_from,
                   (SELECT max(lease_until) FROM seen) AS seen_to,
                   (SELECT count(*) FROM seen) AS seen""";

    private static final String FRONT = "-infinity";
    /** For claims that commit late, whose leases are nearly over when they are first to be seen. */
    private static final Duration OVERLAP = Duration.ofMillis(500);

    private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);

    private final Rowlock rowlock;
    private final String queue;
    private final LongSupplier nanoTime;
    private final FrontLooks frontLooks;
    private String from = FRONT;

    Leases(Rowlock rowlock, String queue, LongSupplier nanoTime) {
        this.rowlock = rowlock;
        this.queue = queue;
        this.nanoTime = nanoTime;
        this.frontLooks = new FrontLooks(nanoTime, SHORTEST_INTERVAL);
    }

    /** Makes jobs whose lease has ended ready for others, or dead after their last attempt; returns how many, at most {@link #MOST}. */
    int takeBack() {
        long begin = nanoTime.getAsLong();
        boolean front = frontLooks.isDue();
        Row row = rowlock.query(TAKE_BACK, queue, front ? FRONT : from, MOST).get(0);
        if (front) {
            frontLooks.looked(nanoTime.getAsLong() - begin);
        }
        Instant next = row.getInstant("at").minus(OVERLAP);
        if (row.getInt("seen") == MOST) {
            next = earlier(next, row.getInstant("seen_to").minusMillis(1));
        }
        if (!row.isNull("left_from")) {
            next = earlier(next, row.getInstant("left_from").minusMillis(1));
        }
        from = next.toString();
        return row.getInt("taken");
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }
}
