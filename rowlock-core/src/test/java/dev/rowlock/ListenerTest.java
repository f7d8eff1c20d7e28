package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.rowlock.RowlockListener.Conflict;
import dev.rowlock.RowlockListener.ConflictKind;
import dev.rowlock.RowlockListener.FailedAttempt;
import dev.rowlock.RowlockListener.Finished;
import dev.rowlock.RowlockListener.LockRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a meter hears. */
class ListenerTest extends DatabaseTest {
    private static final Table NOTES = Table.of("note", "id").withVersion("version");

    private final Events events = new Events();
    private final AtomicLong now = new AtomicLong();
    private Rowlock metered;

    ListenerTest() {
        super("CREATE TABLE note (id bigint PRIMARY KEY, version int NOT NULL)", "INSERT INTO note VALUES (1, 7)");
    }

    @BeforeEach
    void listen() {
        metered = Rowlock.builder(database.pool())
                .listener(events)
                .lockTimeout(Duration.ofMillis(50))
                .nanoTime(now::get)
                .sleeper(time -> {})
                .build();
    }

    @Test
    void lockTellsTableStrengthAndRows() {
        metered.run(tx -> tx.lockAll(NOTES, List.of(1), Lock.forShare()));

        assertThat(events.of(LockRequest.class))
                .containsExactly(new LockRequest(NOTES, Lock.Strength.SHARE, 1, 0, true));
    }

    @Test
    void waitAndHoldAreMeasuredOnTheClockGiven() {
        AtomicLong ticks = new AtomicLong();
        Rowlock.builder(database.pool())
                .listener(events)
                .nanoTime(() -> ticks.addAndGet(1000))
                .build()
                .run(tx -> tx.lock(NOTES, 1));

        assertThat(events.of(LockRequest.class).get(0).waitNanos()).isPositive();
        Finished finished = events.of(Finished.class).get(0);
        assertThat(finished.lockHoldNanos()).isPositive();
        assertThat(finished.totalNanos()).isGreaterThan(finished.lockHoldNanos());
    }

    @Test
    void holdLastsFromTheAnswerOfTheFirstLockToTheEnd() {
        metered.run(tx -> {
            now.addAndGet(1);
            tx.lock(NOTES, 1);
            now.addAndGet(10);
            must(tx.update(NOTES, 1).apply());
            now.addAndGet(100);
        });

        assertThat(events.of(Finished.class)).containsExactly(new Finished(true, 1, 111, 110, Optional.empty()));
    }

    @Test
    void transactionWithoutALockHoldsForNoTime() {
        metered.run(tx -> {
            tx.peek(NOTES, 1);
            now.addAndGet(10);
        });

        assertThat(events.of(Finished.class).get(0).lockHoldNanos()).isZero();
    }

    @Test
    void everyKindOfConflictIsTold() throws Exception {
        try (Session holder = Session.open(database)) {
            metered.run(
                    tx -> assertThat(tx.update(NOTES, 1).ifVersion(6).apply().isApplied())
                            .isFalse());
            metered.run(
                    tx -> assertThat(tx.update(NOTES, 1).onlyIf("false").apply().isApplied())
                            .isFalse());
            metered.run(
                    tx -> assertThat(tx.update(NOTES, 2).apply().isApplied()).isFalse());
            holder.run("SELECT * FROM note FOR UPDATE");
            assertThat(catchThrowable(() ->
                            metered.run(tx -> tx.lock(NOTES, 1, Lock.forUpdate().noWait()))))
                    .isInstanceOf(LockTimeoutException.class);
            assertThat(catchThrowable(() -> metered.run(tx -> tx.lock(NOTES, 1))))
                    .isInstanceOf(LockTimeoutException.class);
        }

        assertThat(events.of(Conflict.class))
                .extracting(Conflict::kind)
                .containsExactly(
                        ConflictKind.STALE,
                        ConflictKind.REFUSED,
                        ConflictKind.MISSING,
                        ConflictKind.LOCK_NOT_AVAILABLE,
                        ConflictKind.LOCK_TIMEOUT);
        assertThat(events.of(LockRequest.class))
                .filteredOn(request -> !request.granted())
                .hasSize(2);
    }

    @Test
    void guardedWriteThatWaitedInVainIsALockTimeoutToo() throws Exception {
        try (Session holder = Session.open(database)) {
            holder.run("SELECT * FROM note FOR UPDATE");
            assertThat(catchThrowable(
                            () -> metered.run(tx -> must(tx.update(NOTES, 1).apply()))))
                    .isInstanceOf(LockTimeoutException.class);
        }

        assertThat(events.of(Conflict.class)).containsExactly(new Conflict(NOTES, ConflictKind.LOCK_TIMEOUT));
    }

    @Test
    void missingRowOfALockIsTold() {
        assertThat(catchThrowable(() -> metered.run(tx -> tx.lock(NOTES, 2)))).isInstanceOf(MissingRowException.class);

        assertThat(events.of(Conflict.class)).containsExactly(new Conflict(NOTES, ConflictKind.MISSING));
    }

    @Test
    void failedAttemptsAreToldWithTheWaitThatFollows() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        Rowlock.builder(database.pool())
                .listener(events)
                .random(() -> 0.5)
                .sleeper(time -> {})
                .build()
                .run(tx -> {
                    if (attempts.incrementAndGet() <= 2) {
                        raise(tx, attempts.get() == 1 ? "40001" : "40P01");
                    }
                });

        assertThat(events.of(FailedAttempt.class))
                .containsExactly(
                        new FailedAttempt(1, "40001", Duration.ofMillis(5)),
                        new FailedAttempt(2, "40P01", Duration.ofMillis(10)));
        assertThat(events.of(Finished.class)).singleElement().satisfies(finished -> {
            assertThat(finished.committed()).isTrue();
            assertThat(finished.attempts()).isEqualTo(3);
        });
    }

    @Test
    void lastFailedAttemptIsFollowedByNone() {
        Throwable failure = catchThrowable(() -> metered.withMaxAttempts(1).run(tx -> raise(tx, "40001")));

        assertThat(events.of(FailedAttempt.class)).containsExactly(new FailedAttempt(1, "40001", null));
        assertThat(events.of(Finished.class)).singleElement().satisfies(finished -> {
            assertThat(finished.committed()).isFalse();
            assertThat(finished.failure()).containsSame(failure);
        });
    }

    @Test
    void joinedCallIsNotTheEndOfAnything() {
        metered.run(tx -> metered.run(joined -> {}));

        assertThat(events.of(Finished.class)).hasSize(1);
    }

    @Test
    void brokenListenerNeverChangesAnOutcome() {
        RowlockListener broken = new RowlockListener() {
            @Override
            public void onLock(LockRequest request) {
                throw new IllegalArgumentException("broken meter");
            }

            @Override
            public void onFinished(Finished finished) {
                throw new IllegalArgumentException("broken meter");
            }
        };
        Rowlock.builder(database.pool()).listener(broken).build().run(tx -> {
            tx.lock(NOTES, 1);
            must(tx.update(NOTES, 1).apply());
        });

        assertThat(database.number("SELECT version FROM note")).isEqualTo(8);
    }
}
