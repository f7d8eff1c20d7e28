package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How long is waited between attempts, and when it is enough: with a clock, a sleeper and dice of the test's own. */
class BackoffTest extends DatabaseTest {
    private static final double ALMOST_ONE = Math.nextDown(1.0);

    private final List<Long> sleptMillis = new ArrayList<>();
    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger attempts = new AtomicInteger();

    BackoffTest() {
        super("CREATE TABLE note (id bigint PRIMARY KEY)", "INSERT INTO note VALUES (1)");
    }

    private Rowlock.Builder dice(double throwOfTheDice) {
        return Rowlock.builder(database.pool())
                .random(() -> throwOfTheDice)
                .nanoTime(now::get)
                .sleeper(time -> {
                    sleptMillis.add(Math.round(time.toNanos() / 1e6));
                    now.addAndGet(time.toNanos());
                });
    }

    @Test
    void longestWaitDoublesFromTheBase() {
        exhaust(dice(ALMOST_ONE).build());

        assertThat(sleptMillis).containsExactly(10L, 20L, 40L, 80L);
    }

    @Test
    void shortestWaitIsNothing() {
        exhaust(dice(0).build());

        assertThat(sleptMillis).containsExactly(0L, 0L, 0L, 0L);
    }

    @Test
    void waitIsAnythingBetweenNothingAndTheBound() {
        exhaust(dice(0.5).build());

        assertThat(sleptMillis).containsExactly(5L, 10L, 20L, 40L);
    }

    @Test
    void waitIsNeverLongerThanTheMaximum() {
        exhaust(dice(ALMOST_ONE)
                .retryDelay(Duration.ofMillis(100), Duration.ofMillis(250))
                .build());

        assertThat(sleptMillis).containsExactly(100L, 200L, 250L, 250L);
    }

    @Test
    void boundOfTheHundredthAttemptDoesNotOverflow() {
        exhaust(dice(ALMOST_ONE)
                .maxAttempts(100)
                .retryBudget(Duration.ofHours(1))
                .build());

        assertThat(attempts).hasValue(100);
        assertThat(sleptMillis).hasSize(99).endsWith(1000L, 1000L);
    }

    @Test
    void noAttemptBeginsAfterTheBudget() {
        RetriesExhaustedException e = exhaust(dice(ALMOST_ONE)
                .retryDelay(Duration.ofMillis(40), Duration.ofMillis(40))
                .retryBudget(Duration.ofMillis(100))
                .build());

        assertThat(e.attempts()).isEqualTo(3);
        assertThat(e).hasMessageContaining("100 ms");
        assertThat(sleptMillis).containsExactly(40L, 40L);
    }

    @Test
    void timeSpentInTheFunctionCountsAgainstTheBudget() {
        Rowlock rowlock = dice(0).retryBudget(Duration.ofSeconds(1)).build();
        assertThatExceptionOfType(RetriesExhaustedException.class)
                .isThrownBy(() -> rowlock.run(tx -> {
                    now.addAndGet(Duration.ofMillis(600).toNanos());
                    raise(tx, "40001");
                }))
                .satisfies(e -> assertThat(e.attempts()).isEqualTo(2));
    }

    @Test
    void oneAttemptNeverWaits() {
        assertThat(exhaust(dice(0.5).maxAttempts(1).build()).attempts()).isEqualTo(1);

        assertThat(sleptMillis).isEmpty();
    }

    @Test
    void attemptsAreFromOneToAHundred() {
        for (int attempts : new int[] {0, -1, 101}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> dice(0).maxAttempts(attempts).build())
                    .withMessageContaining("maxAttempts is " + attempts);
            assertThatIllegalArgumentException().isThrownBy(() -> rowlock.withMaxAttempts(attempts));
        }
    }

    @Test
    void baseLongerThanMaximumIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> dice(0).retryDelay(Duration.ofMillis(2), Duration.ofMillis(1))
                        .build())
                .withMessageContaining("retryDelay");
    }

    @Test
    void lockTimeoutIsRetriedOnlyIfAskedFor() throws Exception {
        Table notes = Table.of("note", "id");
        Lock noWait = Lock.forUpdate().noWait();
        try (Session holder = Session.open(database)) {
            holder.run("SELECT * FROM note FOR UPDATE");
            assertThatExceptionOfType(RetriesExhaustedException.class)
                    .isThrownBy(() -> dice(0).retryLockTimeouts(true).build().run(tx -> tx.lock(notes, 1, noWait)))
                    .withCauseInstanceOf(LockTimeoutException.class);
            assertThat(sleptMillis).hasSize(4);
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(() -> dice(0).build().run(tx -> tx.lock(notes, 1, noWait)));
            assertThat(sleptMillis).hasSize(4);
        }
    }

    private RetriesExhaustedException exhaust(Rowlock rowlock) {
        try {
            rowlock.run(tx -> {
                attempts.incrementAndGet();
                raise(tx, "40001");
            });
        } catch (RetriesExhaustedException e) {
            return e;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("committed");
    }
}
