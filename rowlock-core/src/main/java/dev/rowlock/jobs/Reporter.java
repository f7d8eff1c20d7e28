package dev.rowlock.jobs;

import dev.rowlock.CommitUnknownException;
import dev.rowlock.RowlockException;
import dev.rowlock.jobs.JobsListener.Ended;
import dev.rowlock.jobs.JobsListener.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the database how attempts ended. Those that went well are completed before the handler's thread goes on, together with what ends
 * at the same moment, or a little later in groups.
 */
final class Reporter {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final int TRIES = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final int GROUPS_WAITING = 4;

    private final JobStore store;
    private final WorkerSettings settings;
    private final Consumer<Ended> ended;
    private final Completions together;
    private final BlockingQueue<Done> waiting;
    private volatile boolean stopping;

    /** An attempt that went well. */
    private record Done(Job job, long nanos) {}

    /** @param ended told once for each attempt, when nothing more is to be reported of it */
    Reporter(JobStore store, WorkerSettings settings, Consumer<Ended> ended) {
        this.store = store;
        this.settings = settings;
        this.ended = ended;
        this.together = new Completions(this::completeInOne);
        this.waiting = new ArrayBlockingQueue<>(Math.max(1, settings.completionGroup()) * GROUPS_WAITING);
    }

    /** Reports an attempt's end; with completion in groups, a success is reported a little later by {@link #runGroups}. */
    void report(Job job, long nanos, @Nullable Throwable failure, boolean stopped) {
        if (job.isCompleted()) {
            if (failure != null) {
                LOG.warn(
                        "{} was completed in a transaction, then its handler failed; it is done all the same",
                        job,
                        failure);
            }
            end(job, Outcome.DONE, nanos, failure);
        } else if (failure instanceof StaleJobException stale && stale.jobId() == job.id()) {
            end(job, Outcome.STALE, nanos, failure);
        } else if (failure != null && stopped) {
            end(
                    job,
                    nanos,
                    failure,
                    () -> store.release(List.of(job.claim())).isEmpty() ? Outcome.STALE : Outcome.RELEASED);
        } else if (failure != null) {
            fail(job, nanos, failure);
        } else if (job.isCompleting()) {
            fail(
                    job,
                    nanos,
                    new IllegalStateException(
                            "the handler returned, but the transaction in which it had completed the job was not committed"));
        } else if (settings.completionGroup() > 1) {
            put(new Done(job, nanos));
        } else {
            complete(job, nanos);
        }
    }

    /** Together with others first; if that fails, whosever job it was, by itself. */
    private void complete(Job job, long nanos) {
        AtomicBoolean first = new AtomicBoolean(true);
        end(job, nanos, null, () -> {
            Completion completion =
                    first.getAndSet(false) ? together.complete(job.claim()) : store.complete(job.claim());
            return completion == Completion.DONE ? Outcome.DONE : Outcome.STALE;
        });
    }

    private List<Completion> completeInOne(List<Claim> claims) {
        if (claims.size() == 1) {
            return List.of(store.complete(claims.get(0)));
        }
        Set<Long> completed = store.completeAll(claims);
        return claims.stream()
                .map(claim -> Completion.of(completed.contains(claim.id())))
                .toList();
    }

    private void fail(Job job, long nanos, Throwable failure) {
        Duration delay = settings.backoff().after(job.attempt());
        end(job, nanos, failure, () -> switch (store.fail(job.claim(), delay, failure.toString())) {
            case RETRY -> Outcome.RETRY;
            case DEAD -> Outcome.DEAD;
            case STALE -> Outcome.STALE;
        });
    }

    private void end(Job job, long nanos, @Nullable Throwable failure, Supplier<Outcome> report) {
        Result<Outcome> result = withTries(report, job::isLeaseLost);
        Outcome outcome = result.value();
        if (outcome == null) {
            end(job, Outcome.UNKNOWN, nanos, result.failure());
        } else if (outcome == Outcome.STALE && result.failure() instanceof CommitUnknownException) {
            // It was ours until the lost answer, so most likely this very report was what ended it.
            end(job, Outcome.UNKNOWN, nanos, result.failure());
        } else {
            end(job, outcome, nanos, failure);
        }
    }

    private void end(Job job, Outcome outcome, long nanos, @Nullable Throwable failure) {
        if (failure != null) {
            LOG.info("{} ended: {}", job, outcome, failure);
        }
        ended.accept(new Ended(job, outcome, nanos, Optional.ofNullable(failure)));
    }

    private record Result<T>(@Nullable T value, @Nullable Throwable failure) {}

    /** Tries again while the job is held: the work is done, and only its report is missing. */
    private <T> Result<T> withTries(Supplier<T> report, Supplier<Boolean> giveUp) {
        Throwable last = null;
        Duration pause = FIRST_PAUSE;
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            try {
                return new Result<>(report.get(), last);
            } catch (RowlockException e) {
                last = e;
                if (attempt == TRIES || giveUp.get()) {
                    break;
                }
                new Signal(settings.nanoTime()).await(pause);
                pause = pause.multipliedBy(4);
            }
        }
        return new Result<>(null, last);
    }

    private void put(Done done) {
        boolean put = false;
        while (!put && !stopping) {
            try {
                put = waiting.offer(done, 1, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                LOG.debug("an interrupt that came too late for the handler of {}", done.job(), e);
            }
        }
        if (!put) {
            end(done.job(), Outcome.UNKNOWN, done.nanos(), null);
        }
    }

    /** Completes in groups until {@link #stop}; run by one thread. */
    void runGroups() {
        List<Done> group = new ArrayList<>();
        while (true) {
            try {
                Done first = waiting.poll(100, TimeUnit.MILLISECONDS);
                if (first == null) {
                    if (stopping) {
                        return;
                    }
                    continue;
                }
                group.add(first);
            } catch (InterruptedException e) {
                LOG.debug("nobody interrupts this thread", e);
                continue;
            }
            waiting.drainTo(group, settings.completionGroup() - 1);
            complete(group);
            group.clear();
        }
    }

    private void complete(List<Done> group) {
        List<Claim> claims = group.stream().map(done -> done.job().claim()).toList();
        Result<Set<Long>> result = withTries(
                () -> store.completeAll(claims),
                () -> group.stream().allMatch(done -> done.job().isLeaseLost()));
        Set<Long> completed = result.value();
        for (Done done : group) {
            Outcome outcome = completed == null
                    ? Outcome.UNKNOWN
                    : completed.contains(done.job().id())
                            ? Outcome.DONE
                            : result.failure() instanceof CommitUnknownException ? Outcome.UNKNOWN : Outcome.STALE;
            end(done.job(), outcome, done.nanos(), outcome == Outcome.UNKNOWN ? result.failure() : null);
        }
    }

    void stop() {
        stopping = true;
    }
}
