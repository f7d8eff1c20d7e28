package dev.rowlock.spring.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.RetriesExhaustedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When another attempt begins, on a clock of the test's own. */
class RetriesTest {
    private final List<Long> waitsMillis = new ArrayList<>();
    private long now;

    private final Retries retries = new Retries(
            List.of(),
            () -> now,
            delay -> {
                waitsMillis.add(delay.toMillis());
                now += delay.toNanos();
            },
            () -> 0.5);

    private static RetryLimits limits(int attempts, int budgetMillis) {
        return new RetryLimits(
                attempts, Duration.ofMillis(budgetMillis), Duration.ofMillis(10), Duration.ofMillis(60), false);
    }

    private void alwaysLose(RetryLimits limits) {
        assertThatThrownBy(() -> retries.run(limits, () -> {
                    throw new SQLException("lost", "40001");
                }))
                .isInstanceOf(RetriesExhaustedException.class);
    }

    @Test
    void waitsAreAFractionOfABoundThatDoublesUpToItsLimit() {
        alwaysLose(limits(6, 10_000));
        assertThat(waitsMillis).containsExactly(5L, 10L, 20L, 30L, 30L);
    }

    @Test
    void noAttemptBeginsAfterTheBudget() {
        alwaysLose(limits(100, 40));
        assertThat(waitsMillis).containsExactly(5L, 10L, 20L);
    }

    @Test
    void limitsOutOfBoundsAreNamed() {
        assertThatIllegalArgumentException().isThrownBy(() -> limits(0, 1)).withMessageContaining("attempts is 0");
        assertThatIllegalArgumentException().isThrownBy(() -> limits(1, 0)).withMessageContaining("budget");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new RetryLimits(1, Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(1), false))
                .withMessageContaining("longer than maxDelay");
    }
}
