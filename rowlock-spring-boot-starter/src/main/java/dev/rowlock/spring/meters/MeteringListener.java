package dev.rowlock.spring.meters;

import dev.rowlock.CommitUnknownException;
import dev.rowlock.RetriesExhaustedException;
import dev.rowlock.RowlockListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Feeds the {@code rowlock.*} meters. Every tag has few values, all of them the program's own, so that the number of time series
 * is bounded.
 */
final class MeteringListener implements RowlockListener {
    private static final List<String> OUTCOMES = List.of("committed", "rolled-back", "unknown");

    private final MeterProvider<Counter> conflicts;
    private final MeterProvider<Counter> failedAttempts;
    private final MeterProvider<Counter> commitChecks;
    private final MeterProvider<Timer> lockWaits;
    private final MeterProvider<Timer> lockHolds;
    private final MeterProvider<Timer> units;
    private final Counter afterCommitFailures;
    private final ConflictMeters noticed;

    MeteringListener(MeterRegistry registry, ConflictMeters noticed) {
        this.noticed = noticed;
        conflicts = Counter.builder("rowlock.conflicts")
                .description("Writers that collided: stale, refused, missing, or the row was held")
                .withRegistry(registry);
        failedAttempts = Counter.builder("rowlock.attempts.failed")
                .description("Attempts that were rolled back because of other transactions")
                .withRegistry(registry);
        commitChecks = Counter.builder("rowlock.commit.checks")
                .description("Commits whose answer was lost, by what the server said about them")
                .withRegistry(registry);
        lockWaits = Timer.builder("rowlock.lock.wait")
                .description("Time from sending a locking request to its answer")
                .withRegistry(registry);
        lockHolds = Timer.builder("rowlock.lock.hold")
                .description("Time from the first lock or write to the end of the transaction")
                .withRegistry(registry);
        units = Timer.builder("rowlock.units")
                .description("Units of work from the call to their end, all attempts included")
                .withRegistry(registry);
        afterCommitFailures = Counter.builder("rowlock.after.commit.failures")
                .description("Work after the commit that failed")
                .register(registry);
        showBeforeTheFirstOne();
    }

    /** A rate over a counter that appears with its first event misses that event. */
    private void showBeforeTheFirstOne() {
        OUTCOMES.forEach(outcome -> units.withTags("outcome", outcome));
        OUTCOMES.forEach(outcome -> commitChecks.withTags("outcome", outcome));
        List.of("40001", "40P01").forEach(state -> failedAttempts.withTags("sqlstate", state));
    }

    @Override
    public void onLock(LockRequest request) {
        lockWaits
                .withTags(
                        "table", request.table().name(),
                        "strength", word(request.strength()),
                        "granted", Boolean.toString(request.granted()))
                .record(request.waitNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void onConflict(Conflict conflict) {
        conflicts
                .withTags("table", conflict.table().name(), "kind", word(conflict.kind()))
                .increment();
    }

    @Override
    public void onFailedAttempt(FailedAttempt attempt) {
        failedAttempts.withTags("sqlstate", attempt.sqlState()).increment();
    }

    @Override
    public void onFinished(Finished finished) {
        String outcome = outcome(finished);
        units.withTags("outcome", outcome).record(finished.totalNanos(), TimeUnit.NANOSECONDS);
        int lost = lost(finished);
        if (lost > 0) {
            noticed.ended(ConflictMeters.UNIT, lost, finished.committed());
        }
        if (finished.lockHoldNanos() > 0) {
            lockHolds.withTags("outcome", outcome).record(finished.lockHoldNanos(), TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void onOuterEnded(OuterEnded ended) {
        lockHolds.withTags("outcome", word(ended.outcome())).record(ended.lockHoldNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void onCommitChecked(CommitChecked checked) {
        commitChecks.withTags("outcome", word(checked.outcome())).increment();
    }

    @Override
    public void onAfterCommitFailure(Throwable failure) {
        afterCommitFailures.increment();
    }

    /** Every attempt but the last one lost to others, and that one too if it says so. */
    private static int lost(Finished finished) {
        boolean exhausted = finished.failure()
                .filter(RetriesExhaustedException.class::isInstance)
                .isPresent();
        return exhausted ? finished.attempts() : finished.attempts() - 1;
    }

    static String outcome(Finished finished) {
        if (finished.committed()) {
            return "committed";
        }
        boolean unknown = finished.failure()
                .filter(CommitUnknownException.class::isInstance)
                .isPresent();
        return unknown ? "unknown" : "rolled-back";
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
