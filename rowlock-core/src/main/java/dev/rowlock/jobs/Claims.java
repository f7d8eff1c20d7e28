package dev.rowlock.jobs;

import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Takes jobs out of a queue for one worker. Each claim is one statement and one transaction, and never waits for a lock.
 *
 * <p>What is picked is a materialised CTE: as a sub-query of the UPDATE a planner may run it once for every row of the table, and each
 * run then locks other jobs. The UPDATE takes the ids as an array, which is computed once and leads to the primary key's index.
 *
 * <p>A job of a group is picked only if no live one stands before it. That needs no lock: places are drawn in the order of commits and
 * never reused, so what the statement's snapshot shows before a job is all that can ever be there, and once it is gone it stays
 * gone. A head that is locked, by another claim that is under way, is still seen, so the second is not taken for the head.
 */
final class Claims {
    private static final String TAKE = """
            claimed AS (
                UPDATE rowlock_job
                SET state = 'running',
                    attempts = attempts + 1,
                    fence = fence + 1,
                    lease_until = clock_timestamp() + ? * interval '1 millisecond'
                WHERE id = ANY (ARRAY (SELECT id FROM picked))
                RETURNING id, type, payload, attempts, max_attempts, fence, group_key, group_place, priority, run_at
            )
            SELECT now() AS at,
                   pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS oldest_xid,
                   CASE WHEN c.id IS NOT NULL THEN pg_current_xact_id()::text::bigint END AS own_xid,
                   c.*
            FROM (SELECT 1) AS always
            LEFT JOIN claimed AS c ON true
            ORDER BY c.priority, c.run_at, c.id""";

    static final String CLAIM = """
            WITH picked AS MATERIALIZED (
                SELECT due.id
                FROM unnest(?::int[], ?::text[]::timestamptz[], ?::bigint[]) AS start (priority, run_at, id)
                CROSS JOIN LATERAL (
                    SELECT j.id
                    FROM rowlock_job AS j
                    WHERE j.queue = ?
                      AND j.state = 'ready'
                      AND j.priority = start.priority
                      AND (j.run_at, j.id) > (start.run_at, start.id)
                      AND j.run_at <= now()
                      AND j.type = ANY (?)
                      AND (j.group_key IS NULL
                           OR (SELECT earlier.id
                               FROM rowlock_job AS earlier
                               WHERE earlier.queue = j.queue
                                 AND earlier.group_key = j.group_key
                                 AND earlier.state <> 'dead'
                                 AND earlier.group_place < j.group_place
                               ORDER BY earlier.group_place DESC
                               LIMIT 1) IS NULL)
                    ORDER BY j.run_at, j.id
                    LIMIT ?
                    FOR UPDATE SKIP LOCKED
                ) AS due
                LIMIT ?
            ),
            """ + TAKE;

    /** Of each group the first one behind a place of which it is known that nothing before it is left. */
    private static final String CLAIM_NEXT_OF_GROUPS = """
            WITH heads AS MATERIALIZED (
                SELECT head.id
                FROM unnest(?::text[], ?::bigint[]) AS done (group_key, place)
                CROSS JOIN LATERAL (
                    SELECT j.id
                    FROM rowlock_job AS j
                    WHERE j.queue = ?
                      AND j.group_key = done.group_key
                      AND j.group_place > done.place
                      AND j.state <> 'dead'
                    ORDER BY j.group_place
                    LIMIT 1
                ) AS head
            ),
            picked AS MATERIALIZED (
                SELECT id
                FROM rowlock_job
                WHERE id = ANY (ARRAY (SELECT id FROM heads))
                  AND lease_until IS NULL
                  AND state <> 'dead'
                  AND run_at <= now()
                  AND type = ANY (?)
                FOR UPDATE SKIP LOCKED
            ),
            """ + TAKE;

    private static final Integer[] PRIORITIES =
            IntStream.range(0, ClaimStart.PRIORITIES).boxed().toArray(Integer[]::new);

    private final Rowlock rowlock;
    private final String queue;
    private final String[] types;
    private final Duration lease;
    private final LongSupplier nanoTime;
    private final ClaimStart start;

    Claims(Rowlock rowlock, String queue, Collection<String> types, Duration lease, LongSupplier nanoTime) {
        this.rowlock = rowlock;
        this.queue = queue;
        this.types = types.stream().sorted().toArray(String[]::new);
        this.lease = lease;
        this.nanoTime = nanoTime;
        this.start = new ClaimStart(nanoTime);
    }

    /** Claims at most this many jobs that are due, by priority and then by the time since when they are due. */
    List<Claim> claim(int limit) {
        ClaimStart.Plan plan = start.plan();
        long begin = nanoTime.getAsLong();
        List<Row> rows = rowlock.query(
                CLAIM,
                PRIORITIES,
                plan.positions().stream().map(ClaimStart.Position::runAt).toArray(String[]::new),
                plan.positions().stream().map(ClaimStart.Position::id).toArray(Long[]::new),
                queue,
                types,
                limit,
                limit,
                lease.toMillis());
        start.claimed(plan, rows, limit, nanoTime.getAsLong() - begin);
        return claimed(rows);
    }

    /** Lets the next claim look from the front of the queue. From any thread. */
    void lookFromFront() {
        start.lookFromFront();
    }

    /**
     * Claims what comes next in the groups of these jobs, which this worker has just completed, so at most one job of each. Without it
     * they would be found by the next look from the start of the queue.
     */
    List<Claim> claimNextInGroups(Collection<Claim> done) {
        return claimed(rowlock.query(
                CLAIM_NEXT_OF_GROUPS,
                done.stream().map(Claim::group).toArray(String[]::new),
                done.stream().map(Claim::place).toArray(Long[]::new),
                queue,
                types,
                lease.toMillis()));
    }

    private List<Claim> claimed(List<Row> rows) {
        return rows.stream()
                .filter(row -> !row.isNull("id"))
                .map(row -> Claim.of(queue, row))
                .toList();
    }
}
