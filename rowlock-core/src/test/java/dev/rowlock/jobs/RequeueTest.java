package dev.rowlock.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.DatabaseException;
import dev.rowlock.DatabaseTest;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Session;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A dead job has let go of its unique key: whether it can have it back. */
class RequeueTest extends DatabaseTest {
    private Jobs jobs;

    @BeforeEach
    void install() {
        RowlockSchema.install(rowlock);
        jobs = Jobs.over(rowlock).withoutNotify();
    }

    private static String job(int id, String queue, String state) {
        String lease = state.equals("running") ? "'2030-01-01'" : "NULL";
        return "INSERT INTO rowlock_job (id, queue, type, payload, priority, run_at, max_attempts, state, lease_until,"
                + " unique_key) VALUES (" + id + ", '" + queue + "', 't', '', 5, '2026-01-01', 9, '" + state + "', "
                + lease + ", 'k')";
    }

    private List<String> states() {
        return rowlock.query("SELECT state FROM rowlock_job ORDER BY id").stream()
                .map(row -> row.getString("state"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ready", "running"})
    void anotherJobHasTheKey(String state) {
        database.sql(job(1001, "default", "dead"), job(1002, "default", state));

        assertThat(jobs.requeue(1001)).isEqualTo(new Requeue.KeyTaken());
        assertThat(states()).containsExactly("dead", state);
    }

    @Test
    void ofTwoDeadJobsTheFirstToBeRequeuedHasTheKey() {
        database.sql(job(1001, "default", "dead"), job(1002, "default", "dead"));

        assertThat(jobs.requeue(1002)).isEqualTo(new Requeue.Requeued());
        assertThat(jobs.requeue(1001)).isEqualTo(new Requeue.KeyTaken());
        assertThat(states()).containsExactly("dead", "ready");
    }

    @Test
    void keyOfAnotherQueueIsAnotherKey() {
        database.sql(job(1001, "default", "dead"), job(1002, "other", "ready"));

        assertThat(jobs.requeue(1001)).isEqualTo(new Requeue.Requeued());
    }

    @Test
    void keyIsFreeAgainOnceTheOtherJobIsDone() {
        database.sql(job(1001, "default", "dead"), job(1002, "default", "ready"));
        assertThat(jobs.requeue(1001)).isEqualTo(new Requeue.KeyTaken());
        database.sql("DELETE FROM rowlock_job WHERE id = 1002");

        assertThat(jobs.requeue(1001)).isEqualTo(new Requeue.Requeued());
    }

    /** It cannot be seen, but its entry in the unique index is waited for. */
    @Test
    void keyThatIsJustBeingTaken() throws Exception {
        database.sql(job(1001, "default", "dead"));
        try (Session other = Session.open(database)) {
            other.run(job(1002, "default", "ready"));
            Future<Requeue> requeue = threads.start(() -> jobs.requeue(1001));
            database.awaitBlocked(1);
            other.commit();
            assertThat(requeue.get()).isEqualTo(new Requeue.KeyTaken());
        }
        assertThat(states()).containsExactly("dead", "ready");
    }

    @Test
    void keyThatWasJustBeingTakenAndIsNot() throws Exception {
        database.sql(job(1001, "default", "dead"));
        try (Session other = Session.open(database)) {
            other.run(job(1002, "default", "ready"));
            Future<Requeue> requeue = threads.start(() -> jobs.requeue(1001));
            database.awaitBlocked(1);
            other.rollback();
            assertThat(requeue.get()).isEqualTo(new Requeue.Requeued());
        }
        assertThat(states()).containsExactly("ready");
    }

    /** The server has aborted the transaction, which nothing can go on in. */
    @Test
    void keyThatIsJustBeingTakenEndsTheUnitOfWorkItIsAPartOf() throws Exception {
        database.sql(job(1001, "default", "dead"));
        try (Session other = Session.open(database)) {
            other.run(job(1002, "default", "ready"));
            Future<Requeue> requeue = threads.start(() -> rowlock.call(tx -> jobs.requeue(1001)));
            database.awaitBlocked(1);
            other.commit();
            assertThatThrownBy(requeue::get)
                    .cause()
                    .isInstanceOfSatisfying(
                            DatabaseException.class,
                            error -> assertThat(error.sqlState()).contains("23505"));
        }
        assertThat(states()).containsExactly("dead", "ready");
    }

    @Test
    void partOfAUnitOfWork() {
        database.sql(job(1001, "default", "dead"), job(1002, "default", "ready"));

        assertThat(rowlock.<Requeue, RuntimeException>call(tx -> jobs.requeue(1001)))
                .isEqualTo(new Requeue.KeyTaken());
    }
}
