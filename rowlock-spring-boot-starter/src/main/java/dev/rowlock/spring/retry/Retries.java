package dev.rowlock.spring.retry;

import dev.rowlock.RetriesExhaustedException;
import dev.rowlock.Sleeper;
import dev.rowlock.SqlStates;
import dev.rowlock.TransactionInterruptedException;
import dev.rowlock.spring.transaction.RollbackCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.UnexpectedRollbackException;

/** Runs work that opens and ends a transaction of its own, again if it has lost to other transactions. */
public final class Retries {
    private static final Logger LOG = LoggerFactory.getLogger(RetryOnConflict.class);

    private final List<RetryListener> listeners;
    private final LongSupplier nanoTime;
    private final Sleeper sleeper;
    private final DoubleSupplier random;

    /**
     * With these sources.
     *
     * @param nanoTime a clock, in nanoseconds from any origin
     * @param random from 0 inclusive to 1 exclusive
     */
    public Retries(List<RetryListener> listeners, LongSupplier nanoTime, Sleeper sleeper, DoubleSupplier random) {
        this.listeners = List.copyOf(listeners);
        this.nanoTime = nanoTime;
        this.sleeper = sleeper;
        this.random = random;
    }

    /** What is run. */
    @FunctionalInterface
    public interface Attempt<T> {
        /** Runs it, each time in a new transaction. */
        @Nullable
        T run() throws Throwable;
    }

    /**
     * Runs it until it succeeds, fails for another reason than a conflict, or the limits say no.
     *
     * @throws RetriesExhaustedException if every attempt lost
     * @throws TransactionInterruptedException if the thread is interrupted between two attempts
     */
    public <T> @Nullable T run(RetryLimits limits, Attempt<T> work) throws Throwable {
        long begin = nanoTime.getAsLong();
        List<Throwable> failures = new ArrayList<>();
        while (true) {
            @Nullable T value;
            try (RollbackCause cause = RollbackCause.listen()) {
                try {
                    value = work.run();
                } catch (Throwable failure) {
                    note(limits, failures, failure, cause);
                    Duration delay = limits.delayAfter(failures.size(), random.getAsDouble());
                    requireAnother(
                            limits,
                            failures,
                            Duration.ofNanos(nanoTime.getAsLong() - begin).plus(delay));
                    pause(delay, failures);
                    continue;
                }
            }
            ended(failures, true);
            return value;
        }
    }

    /** Goes on only if the failure is worth another attempt. */
    private void note(RetryLimits limits, List<Throwable> failures, Throwable failure, RollbackCause cause)
            throws Throwable {
        Throwable conflict = conflict(limits, failure, cause);
        if (conflict == null) {
            ended(failures, false);
            failures.forEach(earlier -> addSuppressed(failure, earlier));
            throw failure;
        }
        failures.add(conflict);
        String state = SqlStates.conflict(conflict).orElse("");
        LOG.debug("attempt {} lost to another transaction ({})", failures.size(), state, conflict);
        listeners.forEach(listener -> listener.onFailedAttempt(state));
    }

    /** Spring's word for "somebody caught the error" does not know which: then what the unit of work failed with counts. */
    private static @Nullable Throwable conflict(RetryLimits limits, Throwable failure, RollbackCause cause) {
        if (limits.covers(failure)) {
            return failure;
        }
        if (failure instanceof UnexpectedRollbackException) {
            return cause.heard().filter(limits::covers).orElse(null);
        }
        return null;
    }

    private void requireAnother(RetryLimits limits, List<Throwable> failures, Duration nextBegins) {
        boolean last = failures.size() >= limits.attempts();
        if (last || nextBegins.compareTo(limits.budget()) > 0) {
            ended(failures, false);
            throw new RetriesExhaustedException(
                    failures,
                    last
                            ? "attempts is " + limits.attempts()
                            : "the next one would begin after the budget of "
                                    + limits.budget().toMillis() + " ms");
        }
    }

    private void pause(Duration delay, List<Throwable> failures) {
        try {
            sleeper.sleep(delay);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ended(failures, false);
            TransactionInterruptedException interrupted = new TransactionInterruptedException(
                    "interrupted while waiting for attempt " + (failures.size() + 1), e);
            failures.forEach(interrupted::addSuppressed);
            throw interrupted;
        }
    }

    private void ended(List<Throwable> failures, boolean absorbed) {
        if (!failures.isEmpty()) {
            listeners.forEach(listener -> listener.onEnded(failures.size(), absorbed));
        }
    }

    private static void addSuppressed(Throwable failure, Throwable second) {
        if (failure != second) {
            failure.addSuppressed(second);
        }
    }
}
