package dev.rowlock.jobs;

import dev.rowlock.Row;
import dev.rowlock.Tx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Puts jobs into the table, in the caller's transaction. */
final class Enqueuer {
    static final int MOST = 1_000;
    /** A duplicate's other job can be done between two statements, and then there is none: look again, but not for ever. */
    private static final int TRIES = 3;

    /**
     * Locks the groups before places in them are drawn, so the order of places is the order of commits: without the lock, a job with
     * an earlier place could turn up when a later one has been started. Groups are locked in one order by every call.
     */
    private static final String SQL = """
            WITH wanted AS MATERIALIZED (
                SELECT *
                FROM unnest(?::text[], ?::text[], ?::text[], ?::bigint[], ?::int[], ?::text[], ?::text[], ?::int[])
                    WITH ORDINALITY
                    AS w (queue, type, payload, delay_millis, priority, unique_key, group_key, max_attempts, n)
            ),
            locked AS MATERIALIZED (
                SELECT w.*,
                       CASE WHEN group_key IS NOT NULL
                            THEN pg_advisory_xact_lock(hashtextextended('rowlock job ' || queue || ' ' || group_key, 0))
                       END AS group_lock
                FROM (SELECT * FROM wanted ORDER BY queue, group_key, n) AS w
            ),
            placed AS MATERIALIZED (
                SELECT l.*,
                       nextval(pg_get_serial_sequence('rowlock_job', 'id')) AS id,
                       CASE WHEN group_key IS NOT NULL THEN nextval('rowlock_job_place') END AS group_place
                FROM locked AS l
            ),
            added AS (
                INSERT INTO rowlock_job
                       (id, queue, type, payload, priority, run_at, group_key, group_place, unique_key, max_attempts)
                SELECT id, queue, type, payload, priority,
                       clock_timestamp() + delay_millis * interval '1 millisecond',
                       group_key, group_place, unique_key, max_attempts
                FROM placed
                ORDER BY queue, unique_key, n
                ON CONFLICT (queue, unique_key) WHERE unique_key IS NOT NULL AND state <> 'dead' DO NOTHING
                RETURNING id
            )
            SELECT p.n, p.id, a.id IS NOT NULL AS added
            FROM placed AS p
            LEFT JOIN added AS a ON a.id = p.id
            ORDER BY p.n""";

    private static final String SAME_KEY = """
            SELECT id
            FROM rowlock_job
            WHERE queue = ?
              AND unique_key = ?
              AND state <> 'dead'""";

    private Enqueuer() {}

    static List<Enqueue> enqueue(Tx tx, List<JobRequest> requests) {
        if (requests.size() > MOST) {
            throw new IllegalArgumentException(
                    requests.size() + " jobs are too many for one call; enqueue at most " + MOST + " at a time");
        }
        List<Row> rows = requests.isEmpty() ? List.of() : insert(tx, requests);
        List<Enqueue> results = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            results.add(
                    row.getBoolean("added") ? new Enqueue.Enqueued(row.getLong("id")) : duplicate(tx, requests.get(i)));
        }
        return results;
    }

    private static Enqueue duplicate(Tx tx, JobRequest request) {
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            List<Row> same =
                    tx.query(SAME_KEY, request.queue(), request.uniqueKey().orElseThrow());
            if (!same.isEmpty()) {
                return new Enqueue.Duplicate(same.get(0).getLong("id"));
            }
            Row row = insert(tx, List.of(request)).get(0);
            if (row.getBoolean("added")) {
                return new Enqueue.Enqueued(row.getLong("id"));
            }
        }
        throw new IllegalStateException(
                "jobs with the unique key \"" + request.uniqueKey().orElseThrow()
                        + "\" in queue " + request.queue() + " came and went " + TRIES
                        + " times while this one was enqueued; enqueue it again");
    }

    private static List<Row> insert(Tx tx, List<JobRequest> requests) {
        return tx.query(
                SQL,
                requests.stream().map(JobRequest::queue).toArray(String[]::new),
                requests.stream().map(JobRequest::type).toArray(String[]::new),
                requests.stream().map(JobRequest::payload).toArray(String[]::new),
                requests.stream().map(request -> request.delay().toMillis()).toArray(Long[]::new),
                requests.stream().map(JobRequest::priority).toArray(Integer[]::new),
                texts(requests.stream().map(JobRequest::uniqueKey).toList()),
                texts(requests.stream().map(JobRequest::group).toList()),
                requests.stream().map(JobRequest::maxAttempts).toArray(Integer[]::new));
    }

    private static @Nullable String[] texts(List<Optional<String>> values) {
        @Nullable String[] texts = new String[values.size()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = values.get(i).orElse(null);
        }
        return texts;
    }
}
