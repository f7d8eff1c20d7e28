package dev.rowlock.jobs;

import dev.rowlock.DatabaseException;
import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import java.util.List;

/** Brings dead jobs back. */
final class Requeuer {
    private static final String UNIQUE_VIOLATION = "23505";

    /**
     * A job of a group gets a new place at the end, drawn under the group's lock as for an enqueue: with its old one it could be started
     * beside a later job that runs already.
     */
    private static final String SQL = """
            WITH wanted AS MATERIALIZED (
                SELECT id,
                       group_key,
                       CASE WHEN group_key IS NOT NULL
                            THEN pg_advisory_xact_lock(hashtextextended('rowlock job ' || queue || ' ' || group_key, 0))
                       END AS group_lock
                FROM rowlock_job
                WHERE id = ?
                  AND state = 'dead'
            ),
            placed AS MATERIALIZED (
                SELECT id,
                       CASE WHEN group_key IS NOT NULL THEN nextval('rowlock_job_place') END AS group_place
                FROM wanted
            )
            UPDATE rowlock_job AS j
            SET state = 'ready',
                attempts = 0,
                run_at = clock_timestamp(),
                group_place = placed.group_place
            FROM placed
            WHERE j.id = placed.id
              AND j.state = 'dead'
              AND NOT EXISTS (SELECT 1
                              FROM rowlock_job AS other
                              WHERE other.queue = j.queue
                                AND other.unique_key = j.unique_key
                                AND other.state <> 'dead')
            RETURNING j.id""";

    private final Rowlock rowlock;

    Requeuer(Rowlock rowlock) {
        this.rowlock = rowlock;
    }

    Requeue requeue(long id) {
        boolean joins = rowlock.isInUnitOfWork();
        try {
            if (!rowlock.query(SQL, id).isEmpty()) {
                return new Requeue.Requeued();
            }
        } catch (DatabaseException e) {
            // Inside the caller's unit of work the server has aborted that too, so there is nothing left to go on in.
            if (!joins && e.sqlState().filter(UNIQUE_VIOLATION::equals).isPresent()) {
                return new Requeue.KeyTaken();
            }
            throw e;
        }
        List<Row> found = rowlock.query("SELECT state FROM rowlock_job WHERE id = ?", id);
        if (found.isEmpty()) {
            return new Requeue.Missing();
        }
        JobState state = JobState.of(found.get(0).getString("state"));
        return state == JobState.DEAD ? new Requeue.KeyTaken() : new Requeue.NotDead(state);
    }
}
