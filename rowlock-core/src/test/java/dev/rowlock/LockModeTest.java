package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What a request does when another transaction holds the row. */
class LockModeTest extends DatabaseTest {
    private static final Table JOBS = Table.of("job", "id");

    LockModeTest() {
        super(
                "CREATE TABLE job (id bigint PRIMARY KEY, state text NOT NULL)",
                "INSERT INTO job VALUES (1, 'new'), (2, 'new'), (3, 'new')");
    }

    @Test
    void noWaitOnAHeldRowFailsWhileTheHolderStillHolds() throws Exception {
        try (Session holder = Session.open(database)) {
            holder.run("SELECT * FROM job WHERE id = 1 FOR UPDATE");

            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(() -> rowlock.run(
                            tx -> tx.lock(JOBS, 1, Lock.forNoKeyUpdate().noWait())))
                    .satisfies(e -> {
                        assertThat(e.noWait()).isTrue();
                        assertThat(e.table()).contains(JOBS);
                        assertThat(e.sqlState()).contains("55P03");
                    })
                    .withMessageContaining("lock of job 1");
            assertThat(holder.run("UPDATE job SET state = 'done' WHERE id = 1")).isEqualTo(1);
        }
    }

    @Test
    void noWaitOnAFreeRowGetsTheLock() {
        rowlock.run(tx -> {
            tx.lock(JOBS, 1, Lock.forUpdate().noWait());
            assertThat(isHeld(1)).isTrue();
        });
    }

    /** The twin: the same request without noWait waits for the holder. */
    @Test
    void withoutNoWaitTheRequestWaitsForTheHolder() throws Exception {
        try (Session holder = Session.open(database)) {
            holder.run("UPDATE job SET state = 'mine' WHERE id = 1");
            Future<String> waiting =
                    threads.start(() -> rowlock.call(tx -> tx.lock(JOBS, 1).getString("state")));
            database.awaitBlocked(1);
            holder.commit();
            assertThat(Threads.result(waiting)).isEqualTo("mine");
        }
    }

    @Test
    void skipLockedHandsTwoWorkersDifferentRows() {
        Threads.Both both = threads.secondPasses(this::claim, this::claim);

        assertThat(both).isEqualTo(new Threads.Both(1L, 2L));
    }

    /** The broken twin: two workers read the first free job before either marks it. */
    @Test
    void withoutSkipLockedBothWorkersTakeTheSameRow() throws Exception {
        try (Session one = Session.open(database);
                Session two = Session.open(database)) {
            assertThat(one.read("SELECT id FROM job WHERE state = 'new' ORDER BY id LIMIT 1"))
                    .isEqualTo(1);
            assertThat(two.read("SELECT id FROM job WHERE state = 'new' ORDER BY id LIMIT 1"))
                    .isEqualTo(1);
        }
    }

    @Test
    void skippedRowIsEmptyInTheOptionalForm() throws Exception {
        try (Session holder = Session.open(database)) {
            holder.run("SELECT * FROM job WHERE id = 1 FOR UPDATE");
            rowlock.run(tx -> {
                assertThat(tx.lockIfPresent(JOBS, 1, Lock.forNoKeyUpdate().skipLocked()))
                        .isEmpty();
                assertThat(tx.lockAllPresent(
                                JOBS, List.of(1, 2), Lock.forNoKeyUpdate().skipLocked()))
                        .extracting(row -> row.getLong("id"))
                        .containsExactly(2L);
            });
        }
    }

    @Test
    void skippingIsRefusedWhereItWouldLookLikeAMissingRow() {
        Lock skipping = Lock.forNoKeyUpdate().skipLocked();
        rowlock.run(tx -> {
            assertThatThrownBy(() -> tx.lock(JOBS, 1, skipping))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lockIfPresent");
            assertThatThrownBy(() -> tx.lockAll(JOBS, List.of(1), skipping))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lockAllPresent");
        });
    }

    @Test
    void peekIsNotBlockedByARowLock() throws Exception {
        try (Session holder = Session.open(database)) {
            holder.run("SELECT * FROM job WHERE id = 1 FOR UPDATE");
            holder.run("UPDATE job SET state = 'changed' WHERE id = 1");

            assertThat(rowlock.<String, RuntimeException>call(
                            tx -> tx.peek(JOBS, 1).orElseThrow().getString("state")))
                    .isEqualTo("new");
        }
    }

    @Test
    void shareLocksLiveTogetherAndShutOutAWriter() {
        rowlock.run(tx -> {
            tx.lock(JOBS, 1, Lock.forShare());
            assertThat(tryLock("SELECT * FROM job WHERE id = 1 FOR SHARE NOWAIT"))
                    .isTrue();
            assertThat(tryLock("SELECT * FROM job WHERE id = 1 FOR NO KEY UPDATE NOWAIT"))
                    .isFalse();
        });
    }

    @Test
    void keyShareLetsAWriterPassButNotADeletion() {
        rowlock.run(tx -> {
            tx.lock(JOBS, 1, Lock.forKeyShare());
            assertThat(tryLock("SELECT * FROM job WHERE id = 1 FOR NO KEY UPDATE NOWAIT"))
                    .isTrue();
            assertThat(tryLock("SELECT * FROM job WHERE id = 1 FOR UPDATE NOWAIT"))
                    .isFalse();
        });
    }

    @Test
    void waysToWaitCannotBeCombined() {
        assertThatThrownBy(() -> Lock.forUpdate().noWait().skipLocked()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Lock.forUpdate().skipLocked().noWait()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Lock.forUpdate().limit(1).first(1)).isInstanceOf(IllegalStateException.class);
    }

    private long claim(Runnable meet) {
        return rowlock.call(tx -> {
            Row job = tx.lockWhere(
                            JOBS,
                            "state = ?",
                            List.of("new"),
                            Lock.forNoKeyUpdate().first(1).skipLocked())
                    .list()
                    .get(0);
            meet.run();
            return tx.update(JOBS, job.key())
                    .set("state", "taken")
                    .apply()
                    .orThrow()
                    .getLong("id");
        });
    }

    private boolean isHeld(long id) {
        return !tryLock("SELECT * FROM job WHERE id = " + id + " FOR UPDATE NOWAIT");
    }

    private boolean tryLock(String sql) {
        try (Session other = Session.open(database)) {
            return other.run(sql) == 1;
        } catch (SQLException e) {
            assertThat(e.getSQLState()).isEqualTo("55P03");
            return false;
        }
    }
}
