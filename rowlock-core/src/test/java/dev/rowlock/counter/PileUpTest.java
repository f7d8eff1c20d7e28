package dev.rowlock.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rowlock.DatabaseException;
import dev.rowlock.DatabaseTest;
import dev.rowlock.Events;
import dev.rowlock.Key;
import dev.rowlock.LockTimeoutException;
import dev.rowlock.Rowlock;
import dev.rowlock.RowlockListener.Finished;
import dev.rowlock.Session;
import dev.rowlock.Table;
import dev.rowlock.Threads;
import dev.rowlock.counter.NotBegunException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A row is held from outside until callers have piled up in a known order; then it is let go. */
class PileUpTest extends DatabaseTest {
    private static final Table ACCOUNTS = Table.of("account", "id");

    private final Events events = new Events();
    private Session outside;
    private Counter counter;

    PileUpTest() {
        super(
                "CREATE TABLE account (id bigint PRIMARY KEY, amount bigint NOT NULL CHECK (amount <> 666))",
                "INSERT INTO account SELECT i, 10 FROM generate_series(1, 9) AS i");
    }

    @BeforeEach
    void open() throws Exception {
        rowlock = Rowlock.builder(database.pool())
                .lockTimeout(Duration.ofSeconds(10))
                .listener(events)
                .build();
        declare(builder());
        outside = Session.open(database);
    }

    @AfterEach
    void close() throws Exception {
        outside.close();
    }

    private CounterBuilder builder() {
        return Counter.over(rowlock, ACCOUNTS, "amount").min(0).max(1_000).timeout(Duration.ofSeconds(20));
    }

    /** With the columns looked up already. */
    private void declare(CounterBuilder builder) {
        counter = builder.build();
        assertThat(counter.add(99, 1).isApplied()).isFalse();
    }

    private void hold(long id) throws Exception {
        outside.run("SELECT * FROM account WHERE id = " + id + " FOR UPDATE");
    }

    /** Somebody is at the row, and waits for it in the database. */
    private <T> Future<T> begun(Callable<T> caller) {
        Future<T> first = threads.start(caller);
        database.awaitBlocked(1);
        return first;
    }

    /** The next one in the queue. */
    private <T> Future<T> queued(Callable<T> caller) {
        int before = counter.stats().waiting();
        Future<T> next = threads.start(caller);
        awaitWaiting(before + 1);
        return next;
    }

    private void awaitWaiting(int number) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> counter.stats().waiting() == number);
    }

    private long amount(long id) {
        return database.number("SELECT amount FROM account WHERE id = " + id);
    }

    private static String told(Future<Change> caller) throws ExecutionException {
        Change change = Threads.result(caller);
        return change instanceof Change.Applied applied
                ? "applied " + applied.value()
                : change instanceof Change.Refused refused ? "refused " + refused.value() : "missing";
    }

    @Test
    void thoseWhoHaveGatheredAreCarriedOutInOneTransactionInOrderOfArrival() throws Exception {
        hold(1);
        List<Future<Change>> callers = new ArrayList<>();
        callers.add(begun(() -> counter.add(1, -1)));
        for (int i = 2; i <= 6; i++) {
            long delta = -i;
            callers.add(queued(() -> counter.add(1, delta)));
        }
        int before = events.of(Finished.class).size();
        outside.run("UPDATE account SET amount = 100 WHERE id = 1");
        outside.commit();

        List<String> answers = new ArrayList<>();
        for (Future<Change> caller : callers) {
            answers.add(told(caller));
        }
        assertThat(answers)
                .containsExactly("applied 99", "applied 97", "applied 94", "applied 90", "applied 85", "applied 79");
        assertThat(amount(1)).isEqualTo(79);
        assertThat(counter.stats().batches()).isEqualTo(1);
        assertThat(counter.stats().combined()).isEqualTo(5);
        assertThat(events.of(Finished.class).size() - before)
                .as("the one who was there first, and all the others")
                .isEqualTo(2);
    }

    @Test
    void eachIsDecidedInItsTurn() throws Exception {
        hold(1);
        List<Future<Change>> callers = new ArrayList<>();
        callers.add(begun(() -> counter.add(1, -3)));
        for (long delta : new long[] {-5, -3, -2, -1, 4, -4, 997, 996}) {
            callers.add(queued(() -> counter.add(1, delta)));
        }
        outside.commit();

        List<String> answers = new ArrayList<>();
        for (Future<Change> caller : callers) {
            answers.add(told(caller));
        }
        assertThat(answers)
                .containsExactly(
                        "applied 7",
                        "applied 2",
                        "refused 2",
                        "applied 0",
                        "refused 0",
                        "applied 4",
                        "applied 0",
                        "applied 997",
                        "refused 997");
        assertThat(amount(1)).isEqualTo(997);
    }

    @Test
    void soldOutIsToldToAllWithoutHoldingTheRow() throws Exception {
        hold(1);
        Future<Change> first = begun(() -> counter.add(1, -10));
        Future<Change> second = queued(() -> counter.add(1, -1));
        Future<Change> third = queued(() -> counter.add(1, -2));
        outside.commit();

        assertThat(List.of(told(first), told(second), told(third)))
                .containsExactly("applied 0", "refused 0", "refused 0");
        assertThat(database.number("SELECT xmax::text::bigint FROM account WHERE id = 1"))
                .isZero();
    }

    @Test
    void rowThatIsGoneIsMissingForAll() throws Exception {
        outside.run("DELETE FROM account WHERE id = 1");
        Future<Change> first = begun(() -> counter.add(1, -1));
        Future<Change> second = queued(() -> counter.add(1, -1));
        Future<Change> third = queued(() -> counter.add(1, 1));
        outside.commit();

        assertThat(List.of(told(first), told(second), told(third))).containsExactly("missing", "missing", "missing");
    }

    @Test
    void queueThatIsFullRefusesAtOnce() throws Exception {
        declare(builder().queueLimit(2));
        hold(1);
        Future<Change> first = begun(() -> counter.add(1, -1));
        Future<Change> second = queued(() -> counter.add(1, -1));
        Future<Change> third = queued(() -> counter.add(1, -1));

        assertThatExceptionOfType(NotBegunException.class)
                .isThrownBy(() -> counter.add(1, -1))
                .withMessageContaining("2 others wait already")
                .extracting(NotBegunException::reason)
                .isEqualTo(Reason.QUEUE_FULL);
        assertThat(counter.add(2, -1).orThrow()).as("another row is free").isEqualTo(9);

        outside.commit();
        assertThat(List.of(told(first), told(second), told(third)))
                .containsExactly("applied 9", "applied 8", "applied 7");
    }

    @Test
    void callerWhoHasWaitedForTooLongHasDoneNothing() throws Exception {
        hold(1);
        Future<Change> first = begun(() -> counter.add(1, -1));
        Counter impatient = counter.withTimeout(Duration.ofMillis(20));
        Future<Change> second = threads.start(() -> impatient.add(1, -1));
        CompletableFuture<Change> third = impatient.addAsync(1, -1);

        assertThat(((NotBegunException) Threads.failure(second)).reason()).isEqualTo(Reason.TIMED_OUT);
        assertThat(((NotBegunException) Threads.failure(third)).reason()).isEqualTo(Reason.TIMED_OUT);
        outside.commit();
        assertThat(told(first)).isEqualTo("applied 9");
        assertThat(amount(1)).isEqualTo(9);
    }

    @Test
    void whoeverWaitedBehindOneWhoGaveUpGoesOn() throws Exception {
        hold(1);
        Future<Change> first = begun(() -> counter.add(1, -1));
        CompletableFuture<Changes> transfer = counter.transferAsync(1, 2, 1);
        Future<Change> behind = queued(() -> counter.add(2, -1));

        assertThat(transfer.cancel(false)).isTrue();

        assertThat(told(behind)).isEqualTo("applied 9");
        assertThat(first.isDone()).isFalse();
        outside.commit();
        assertThat(told(first)).isEqualTo("applied 9");
    }

    @Test
    void interruptedCallerLeavesTheQueueAndHasDoneNothing() throws Exception {
        hold(1);
        Future<Change> first = begun(() -> counter.add(1, -1));
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        Future<String> second = queued(() -> {
            thread.complete(Thread.currentThread());
            try {
                return counter.add(1, -1).toString();
            } catch (NotBegunException e) {
                return e.reason() + " " + Thread.interrupted();
            }
        });
        thread.get(20, TimeUnit.SECONDS).interrupt();

        assertThat(Threads.result(second)).isEqualTo("INTERRUPTED true");
        outside.commit();
        assertThat(told(first)).isEqualTo("applied 9");
        assertThat(amount(1)).isEqualTo(9);
    }

    /** The batch is held up by a lock for which it must queue, because a row would be taken by whoever comes by. */
    @Test
    void interruptOfOneWhoIsBegunSpoilsNobody() throws Exception {
        declare(builder().onlyIf("(SELECT true FROM pg_advisory_xact_lock_shared(7))"));
        hold(1);
        Future<Change> first = begun(() -> counter.add(1, -1));
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        Future<String> second = queued(() -> {
            thread.complete(Thread.currentThread());
            return counter.add(1, -1).orThrow() + " " + Thread.interrupted();
        });
        Future<Change> third = queued(() -> counter.add(1, -1));
        try (Session gate = Session.open(database)) {
            Session.Step passed = gate.begin("SELECT count(pg_advisory_xact_lock(7))");
            outside.commit();
            assertThat(told(first)).isEqualTo("applied 9");
            assertThat(passed.result()).isEqualTo(1);
            awaitWaiting(0);
            database.awaitBlocked(1);

            thread.get(20, TimeUnit.SECONDS).interrupt();
            gate.commit();
        }

        assertThat(Threads.result(second)).isEqualTo("8 true");
        assertThat(told(third)).isEqualTo("applied 7");
    }

    @Test
    void futureCanBeCancelledUntilItIsBegun() throws Exception {
        hold(1);
        CompletableFuture<Change> first = counter.addAsync(1, -1);
        database.awaitBlocked(1);
        CompletableFuture<Change> second = counter.addAsync(1, -1);
        CompletableFuture<Change> third = counter.addAsync(1, -2);

        assertThat(first.cancel(true)).isFalse();
        assertThat(second.cancel(true)).isTrue();
        assertThat(second.isCancelled()).isTrue();
        assertThatExceptionOfType(CancellationException.class).isThrownBy(second::join);
        outside.commit();

        assertThat(told(first)).isEqualTo("applied 9");
        assertThat(told(third)).isEqualTo("applied 7");
        assertThat(amount(1)).isEqualTo(7);
    }

    @Test
    void whatHangsOnAFutureMayAskForTheSameRowAgain() throws Exception {
        hold(1);
        CompletableFuture<Change> first = counter.addAsync(1, -1);
        database.awaitBlocked(1);
        CompletableFuture<Change> second = counter.addAsync(1, -1).thenApply(change -> counter.add(1, -1));
        outside.commit();

        assertThat(told(first)).isEqualTo("applied 9");
        assertThat(told(second)).isEqualTo("applied 7");
    }

    @Test
    void lockTimeoutIsToldToEachOfThoseWhoWantTheRow() throws Exception {
        rowlock = Rowlock.builder(database.pool())
                .lockTimeout(Duration.ofMillis(100))
                .build();
        declare(builder());
        hold(1);
        Future<Change> first = threads.start(() -> counter.add(1, -1));
        database.awaitBlocked(1);
        Future<Change> second = threads.start(() -> counter.add(1, -1));
        Future<Change> third = threads.start(() -> counter.add(1, -1));

        assertThat(List.of(Threads.failure(first), Threads.failure(second), Threads.failure(third)))
                .allMatch(LockTimeoutException.class::isInstance);
        outside.rollback();
        assertThat(counter.add(1, -1).orThrow()).as("nothing is left behind").isEqualTo(9);
    }

    /** The one transaction that may run is at row 9, so that all others gather. */
    @Test
    void requestThatBreaksAConstraintFailsAlone() throws Exception {
        declare(builder().maxTransactions(1));
        hold(9);
        Future<Change> first = begun(() -> counter.add(9, -1));
        Future<Change> good = queued(() -> counter.add(1, -1));
        Future<Change> bad = queued(() -> counter.add(2, 656));
        Future<Changes> better = queued(() -> counter.transfer(3, 4, 5));
        Future<Changes> best = queued(() -> counter.transfer(4, 1, 15));
        outside.commit();

        assertThat(told(first)).isEqualTo("applied 9");
        assertThat(told(good)).isEqualTo("applied 9");
        assertThat(((DatabaseException) Threads.failure(bad)).sqlState()).contains("23514");
        assertThat(Threads.result(better).orThrow().value(4)).isEqualTo(15);
        assertThat(Threads.result(best).orThrow().value(1)).isEqualTo(24);
        assertThat(List.of(amount(1), amount(2), amount(3), amount(4))).containsExactly(24L, 10L, 5L, 0L);
    }

    @Test
    void rowThatIsHeldElsewhereKeepsOnlyThoseWhoWantIt() throws Exception {
        declare(builder().maxTransactions(1));
        Session other = Session.open(database);
        hold(9);
        other.run("SELECT * FROM account WHERE id = 2 FOR UPDATE");
        Future<Change> first = begun(() -> counter.add(9, -1));
        Future<Change> one = queued(() -> counter.add(1, -1));
        Future<Change> two = queued(() -> counter.add(2, -1));
        Future<Changes> oneToTwo = queued(() -> counter.transfer(1, 2, 5));
        Future<Change> three = queued(() -> counter.add(3, -1));
        Future<Change> oneAgain = queued(() -> counter.add(1, -1));
        outside.commit();

        assertThat(List.of(told(first), told(one), told(three))).containsOnly("applied 9");
        assertThat(two.isDone() || oneToTwo.isDone()).isFalse();
        other.commit();
        other.close();
        assertThat(told(two)).isEqualTo("applied 9");
        assertThat(Threads.result(oneToTwo).orThrow().value(2)).isEqualTo(14);
        assertThat(told(oneAgain)).as("behind the transfer that came before").isEqualTo("applied 3");
    }

    @Test
    void manyRowsAreWrittenInOneTransaction() throws Exception {
        declare(builder().maxTransactions(1));
        hold(9);
        Future<Change> first = begun(() -> counter.add(9, -1));
        List<Future<Changes>> ring = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
            int from = i;
            ring.add(queued(() -> counter.transfer(from, from % 8 + 1, 1)));
        }
        Future<Change> nobody = queued(() -> counter.add(77, -1));
        Future<Changes> three = queued(() -> counter.addAll(Map.of(1, -1L, 2, -1L, 3, -1L)));
        outside.commit();

        assertThat(told(first)).isEqualTo("applied 9");
        for (Future<Changes> transfer : ring) {
            assertThat(Threads.result(transfer).isApplied()).isTrue();
        }
        assertThat(told(nobody)).isEqualTo("missing");
        assertThat(Threads.result(three).orThrow().value(2)).isEqualTo(9);
        assertThat(database.number("SELECT sum(amount) FROM account WHERE id < 9"))
                .isEqualTo(77);
        assertThat(database.number("SELECT count(DISTINCT xmin::text) FROM account WHERE id BETWEEN 4 AND 8"))
                .as("transactions that wrote")
                .isLessThanOrEqualTo(1);
    }

    @Test
    void executorThatTakesNothingIsToldToThoseWhoWait() throws Exception {
        declare(builder().executor(task -> {
            throw new RejectedExecutionException("shut down");
        }));
        hold(1);
        Future<Change> first = begun(() -> counter.add(1, -1));
        Future<Change> second = queued(() -> counter.add(1, -1));
        outside.commit();

        assertThat(told(first)).isEqualTo("applied 9");
        assertThat(((NotBegunException) Threads.failure(second)).reason()).isEqualTo(Reason.REJECTED);
        assertThat(counter.add(1, -1).orThrow()).as("nothing is left behind").isEqualTo(8);
        assertThat(((NotBegunException) Threads.failure(counter.addAsync(1, -1))).reason())
                .isEqualTo(Reason.REJECTED);
    }

    @Test
    void twoInstancesNeverOversellAndEveryAnswerIsOneOfASerialOrder() {
        Counter there = builder().build();
        List<Object> answers = threads.crowd(24, () -> {
            Counter one = Thread.currentThread().getId() % 2 == 0 ? counter : there;
            return one.add(5, -1);
        });

        assertThat(answers.stream()
                        .filter(Change.Applied.class::isInstance)
                        .map(answer -> ((Change.Applied) answer).value()))
                .containsExactlyInAnyOrder(9L, 8L, 7L, 6L, 5L, 4L, 3L, 2L, 1L, 0L);
        assertThat(answers.stream().filter(Change.Refused.class::isInstance)).hasSize(14);
        assertThat(((Change.Refused) counter.add(5, -1)).key()).isEqualTo(Key.of(5));
        assertThat(amount(5)).isZero();
    }
}
