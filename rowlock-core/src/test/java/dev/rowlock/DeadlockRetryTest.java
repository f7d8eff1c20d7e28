package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Two functions that lock one row after the other in opposite order: the server breaks the deadlock, Rowlock runs the loser again. */
class DeadlockRetryTest extends DatabaseTest {
    private static final Table COUNTERS = Table.of("counter", "id");

    private final CountDownLatch bothHoldOne = new CountDownLatch(2);
    private final AtomicInteger attempts = new AtomicInteger();

    DeadlockRetryTest() {
        super(
                "CREATE TABLE counter (id bigint PRIMARY KEY, n int NOT NULL)",
                "INSERT INTO counter VALUES (1, 0), (2, 0)");
    }

    @Test
    void loserOfADeadlockIsRunAgainAndSucceeds() throws Exception {
        Future<Boolean> other = threads.start(() -> cross(rowlock, 2, 1));

        assertThat(cross(rowlock, 1, 2)).isTrue();
        assertThat(Threads.result(other)).isTrue();
        assertThat(attempts).hasValue(3);
        assertThat(sums()).containsExactly(2L, 2L);
        database.awaitDeadlocks(1);
    }

    @Test
    void deadlockInAJoinedCallRunsTheOutermostFunctionAgain() throws Exception {
        AtomicInteger outerRuns = new AtomicInteger();
        Future<Boolean> other = threads.start(() -> rowlock.call(tx -> {
            outerRuns.incrementAndGet();
            must(tx.update(COUNTERS, 2).add("n", 1).apply());
            return rowlock.<Boolean, RuntimeException>call(inner -> {
                meet();
                must(inner.update(COUNTERS, 1).add("n", 1).apply());
                return true;
            });
        }));
        rowlock.run(tx -> {
            outerRuns.incrementAndGet();
            must(tx.update(COUNTERS, 1).add("n", 1).apply());
            rowlock.run(inner -> {
                meet();
                must(inner.update(COUNTERS, 2).add("n", 1).apply());
            });
        });

        assertThat(Threads.result(other)).isTrue();
        assertThat(outerRuns).hasValue(3);
        assertThat(sums()).containsExactly(2L, 2L);
    }

    @Test
    void conflictThatTheFunctionSwallowsIsStillRunAgain() throws Exception {
        Future<Boolean> other = threads.start(() -> crossSwallowing(2, 1));

        assertThat(crossSwallowing(1, 2)).isTrue();
        assertThat(Threads.result(other)).isTrue();
        assertThat(attempts).hasValue(3);
        assertThat(sums()).containsExactly(2L, 2L);
    }

    /** The broken twin: with one attempt the deadlock reaches a caller, and its work is missing. */
    @Test
    void withOneAttemptTheDeadlockReachesTheCaller() throws Exception {
        Rowlock once = rowlock.withMaxAttempts(1);
        Future<Object> other = threads.start(() -> outcome(once, 2, 1));
        List<Object> outcomes = List.of(outcome(once, 1, 2), Threads.result(other));

        assertThat(outcomes)
                .hasAtLeastOneElementOfType(RetriesExhaustedException.class)
                .contains(true);
        assertThat(sums()).containsExactly(1L, 1L);
    }

    private Object outcome(Rowlock once, long first, long second) {
        try {
            return cross(once, first, second);
        } catch (RetriesExhaustedException e) {
            return e;
        }
    }

    private boolean cross(Rowlock rowlock, long first, long second) {
        return rowlock.call(tx -> {
            attempts.incrementAndGet();
            tx.lock(COUNTERS, first);
            meet();
            tx.lock(COUNTERS, second);
            return addToBoth(tx);
        });
    }

    private boolean crossSwallowing(long first, long second) {
        return rowlock.call(tx -> {
            attempts.incrementAndGet();
            tx.lock(COUNTERS, first);
            meet();
            try {
                tx.lock(COUNTERS, second);
            } catch (TransactionConflictException e) {
                return false; // as if the second row did not matter
            }
            return addToBoth(tx);
        });
    }

    private static boolean addToBoth(Tx tx) {
        must(tx.update(COUNTERS, 1).add("n", 1).apply());
        must(tx.update(COUNTERS, 2).add("n", 1).apply());
        return true;
    }

    /** Each holds its first row; passed at once in later attempts. */
    private void meet() {
        bothHoldOne.countDown();
        Threads.await(bothHoldOne);
    }

    private List<Long> sums() {
        return List.of(
                database.number("SELECT n FROM counter WHERE id = 1"),
                database.number("SELECT n FROM counter WHERE id = 2"));
    }
}
