package dev.rowlock.spring.meters;

import dev.rowlock.spring.retry.RetryListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** Counts the attempts of methods that lost to other transactions. */
final class RetryMeters implements RetryListener {
    private final MeterProvider<Counter> failedAttempts;
    private final ConflictMeters conflicts;

    RetryMeters(MeterRegistry registry, ConflictMeters conflicts) {
        this.conflicts = conflicts;
        failedAttempts = Counter.builder("rowlock.method.attempts.failed")
                .description("Attempts of methods that were rolled back because of other transactions")
                .withRegistry(registry);
        List.of("40001", "40P01").forEach(state -> failedAttempts.withTags("sqlstate", state));
    }

    @Override
    public void onFailedAttempt(String sqlState) {
        failedAttempts.withTags("sqlstate", sqlState).increment();
    }

    @Override
    public void onEnded(int lost, boolean absorbed) {
        conflicts.ended(ConflictMeters.METHOD, lost, absorbed);
    }
}
