package dev.rowlock.jobs;

import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What workers do to the jobs they hold. Each is one statement and one transaction; each that changes a held job checks the fence, so
 * that a worker whose job was given to another changes nothing and is told. None of those that touch several jobs waits for a row lock,
 * so none can be part of a deadlock.
 *
 * <p>That a job is held they ask of its lease and not of its state: with {@code state = 'running'} the index of the leases would do for
 * them as well, and a planner that believes there are few would read all of it for each job, dead entries included. Those about
 * several ask in a form for which the planner has no statistics, so that it does not take almost none of them for held.
 */
final class JobStore {
    private static final int MOST_ERROR_CHARS = 4_000;

    static final String COMPLETE = """
            DELETE FROM rowlock_job
            WHERE id = ?
              AND fence = ?
              AND lease_until IS NOT NULL""";

    private static final String COMPLETE_ALL = """
            DELETE FROM rowlock_job AS j
            USING unnest(?::bigint[], ?::bigint[]) AS mine (id, fence)
            WHERE j.id = mine.id
              AND j.fence = mine.fence
              AND coalesce(j.lease_until > '-infinity', false)
            RETURNING j.id""";

    private static final String FAIL = """
            UPDATE rowlock_job
            SET state = CASE WHEN attempts >= max_attempts THEN 'dead' ELSE 'ready' END,
                run_at = clock_timestamp() + ? * interval '1 millisecond',
                lease_until = NULL,
                last_error = ?
            WHERE id = ?
              AND fence = ?
              AND lease_until IS NOT NULL
            RETURNING state""";

    private static final String RELEASE = """
            UPDATE rowlock_job AS j
            SET state = 'ready',
                attempts = j.attempts - 1,
                run_at = least(j.run_at, clock_timestamp()),
                lease_until = NULL
            FROM unnest(?::bigint[], ?::bigint[]) AS mine (id, fence)
            WHERE j.id = mine.id
              AND j.fence = mine.fence
              AND coalesce(j.lease_until > '-infinity', false)
            RETURNING j.id""";

    /**
     * A row that is locked is left alone: its handler is completing it in a transaction of its own, and as long as that is open
     * nobody else can take it over, because that skips locked rows too. It still counts as held. Or it is just being taken over, which
     * the next beat will see.
     */
    private static final String RENEW = """
            WITH held AS MATERIALIZED (
                SELECT j.id
                FROM unnest(?::bigint[], ?::bigint[]) AS mine (id, fence)
                JOIN rowlock_job AS j ON j.id = mine.id
                WHERE j.fence = mine.fence
                  AND coalesce(j.lease_until > '-infinity', false)
            ),
            free AS MATERIALIZED (
                SELECT j.id
                FROM unnest(?::bigint[], ?::bigint[]) AS mine (id, fence)
                JOIN rowlock_job AS j ON j.id = mine.id
                WHERE j.fence = mine.fence
                  AND coalesce(j.lease_until > '-infinity', false)
                FOR NO KEY UPDATE OF j SKIP LOCKED
            ),
            renewed AS (
                UPDATE rowlock_job
                SET lease_until = clock_timestamp() + ? * interval '1 millisecond'
                WHERE id = ANY (ARRAY (SELECT id FROM free))
                RETURNING id
            )
            SELECT held.id,
                   held.id IN (SELECT free.id FROM free) AS renewed
            FROM held""";

    private final Rowlock rowlock;
    private final Duration lease;

    JobStore(Rowlock rowlock, Duration lease) {
        this.rowlock = rowlock;
        this.lease = lease;
    }

    Completion complete(Claim claim) {
        return Completion.of(rowlock.execute(COMPLETE, claim.id(), claim.fence()) == 1);
    }

    /** Completes many in one statement; returns the ids of those that were still held. */
    Set<Long> completeAll(Collection<Claim> claims) {
        Long[] ids = ids(claims);
        return idsOf(rowlock.query(COMPLETE_ALL, ids, fences(claims)));
    }

    /** Ends an attempt: the job waits for the next one, or is dead if there is none. */
    Failure fail(Claim claim, Duration delay, String error) {
        List<Row> rows = rowlock.query(FAIL, delay.toMillis(), storable(error), claim.id(), claim.fence());
        if (rows.isEmpty()) {
            return Failure.STALE;
        }
        return rows.get(0).getString("state").equals("dead") ? Failure.DEAD : Failure.RETRY;
    }

    /** A text that PostgreSQL takes, whatever the error was: a failure must not fail to be written down. */
    private static String storable(String error) {
        String cut =
                error.substring(0, Math.min(error.length(), MOST_ERROR_CHARS)).replace('\0', ' ');
        return new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /** How an attempt that failed leaves its job. */
    enum Failure {
        RETRY,
        DEAD,
        STALE
    }

    /** Gives jobs back as if they had not been claimed; returns the ids of those that were still held. */
    Set<Long> release(Collection<Claim> claims) {
        Long[] ids = ids(claims);
        return idsOf(rowlock.query(RELEASE, ids, fences(claims)));
    }

    /** Prolongs the leases of all these; returns those that are still held, and whether the lease was prolonged. */
    Map<Long, Boolean> renew(Collection<Claim> claims) {
        Long[] ids = ids(claims);
        Long[] fences = fences(claims);
        return rowlock.query(RENEW, ids, fences, ids, fences, lease.toMillis()).stream()
                .collect(Collectors.toMap(row -> row.getLong("id"), row -> row.getBoolean("renewed")));
    }

    private static Long[] ids(Collection<Claim> claims) {
        return claims.stream().map(Claim::id).toArray(Long[]::new);
    }

    private static Long[] fences(Collection<Claim> claims) {
        return claims.stream().map(Claim::fence).toArray(Long[]::new);
    }

    private static Set<Long> idsOf(List<Row> rows) {
        return rows.stream().map(row -> row.getLong("id")).collect(Collectors.toSet());
    }
}
