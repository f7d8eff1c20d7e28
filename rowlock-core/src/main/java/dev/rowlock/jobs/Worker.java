package dev.rowlock.jobs;

import dev.rowlock.Rowlock;
import dev.rowlock.RowlockException;
import dev.rowlock.jobs.JobsListener.Ended;
import dev.rowlock.jobs.JobsListener.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the jobs of one queue in threads of its own, from {@link WorkerBuilder#start} to {@link #stop}. Any number of workers, in any number of
 * processes, can work on one queue.
 *
 * <p>A claimed job is held by a lease, which the worker prolongs as long as it lives, handlers that wait or run long included. When the
 * process dies its jobs run elsewhere within 2 s by default. A process that stands still for longer than the lease (a long garbage
 * collection, a suspended machine) loses its jobs as well, and then two handlers may be at work on one; but the old one cannot
 * complete it, nor prolong it, nor make it fail.
 */
public final class Worker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final int MOST_CLAIMED = 1_000;
    /** Jobs are claimed ahead for about this long, so that what is claimed is not kept from workers that are idle. */
    private static final long AHEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final Duration LONGEST_ERROR_PAUSE = Duration.ofSeconds(5);
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(5);

    private final WorkerSettings settings;
    private final WakeUps wakeUps;
    private final JobStore store;
    private final Claims claims;
    private final Reporter reporter;
    private final Keeper keeper;
    private final @Nullable Listening listening;

    private final Signal claimer;
    /** Every job that is held, so that its lease is prolonged: waiting here, with its handler, or waiting to be reported. */
    private final Map<Long, Job> inHand = new ConcurrentHashMap<>();
    /** Those of them whose handler has not ended. */
    private final AtomicInteger unfinished = new AtomicInteger();

    private final LinkedBlockingQueue<Next> buffer = new LinkedBlockingQueue<>();
    private final Queue<Claim> endedInGroups = new ConcurrentLinkedQueue<>();
    private final CountDownLatch handlersEnded;
    private final List<Thread> started = new ArrayList<>();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean givingUp;
    private volatile boolean claimerNeedsRoom;
    private volatile double usualNanos = -1;

    /** What a handler's thread does next: a job, or end. */
    private record Next(@Nullable Job job) {}

    Worker(Rowlock rowlock, WakeUps wakeUps, WorkerSettings settings) {
        this.settings = settings;
        this.wakeUps = wakeUps;
        this.claimer = new Signal(settings.nanoTime());
        this.store = new JobStore(rowlock, settings.lease());
        this.claims = new Claims(
                rowlock, settings.queue(), settings.handlers().keySet(), settings.lease(), settings.nanoTime());
        this.reporter = new Reporter(store, settings, this::ended);
        Leases leases = new Leases(rowlock, settings.queue(), settings.nanoTime());
        this.keeper = new Keeper(store, leases, claims, settings, inHand::values, claimer);
        this.listening = settings.listenOn()
                .map(dataSource -> new Listening(dataSource, claimer, settings.nanoTime()))
                .orElse(null);
        this.handlersEnded = new CountDownLatch(settings.concurrency());
    }

    void start() {
        wakeUps.add(claimer);
        thread("keeper", keeper);
        if (listening != null) {
            thread("listener", listening);
        }
        if (settings.completionGroup() > 1) {
            thread("reporter", reporter::runGroups);
        }
        for (int i = 1; i <= settings.concurrency(); i++) {
            thread("handler-" + i, this::handle);
        }
        thread("claimer", this::claimUntilStopped);
    }

    private void thread(String role, Runnable task) {
        Thread thread = settings.threads().newThread(task);
        if (thread == null) {
            throw new IllegalStateException("the thread factory refused to make a thread");
        }
        thread.setName("rowlock-jobs-" + settings.queue() + "-" + role);
        started.add(thread);
        thread.start();
    }

    private void claimUntilStopped() {
        Duration errorPause = settings.pollInterval();
        boolean justBusy = false;
        while (!stopping.get()) {
            try {
                int room = room();
                if (room <= 0) {
                    claimerNeedsRoom = true;
                    if (room() <= 0) {
                        claimer.await(settings.pollInterval());
                    }
                    claimerNeedsRoom = false;
                    continue;
                }
                int claimed = claim(room);
                errorPause = settings.pollInterval();
                if (claimed < room) {
                    // What commits shortly after a notification is not announced: look once more when that may have
                    // happened.
                    boolean soon = justBusy || claimed > 0;
                    Duration pause = settings.pollInterval();
                    boolean woken = claimer.await(soon && WakeUps.QUIET.compareTo(pause) < 0 ? WakeUps.QUIET : pause);
                    justBusy = woken || claimed > 0;
                }
            } catch (RuntimeException e) {
                LOG.warn("claiming jobs of queue {} failed; again in {}", settings.queue(), errorPause, e);
                claimer.await(errorPause);
                errorPause = errorPause.multipliedBy(2);
                errorPause = errorPause.compareTo(LONGEST_ERROR_PAUSE) > 0 ? LONGEST_ERROR_PAUSE : errorPause;
            }
        }
    }

    /** How many jobs to claim now; 0 as long as there are enough. */
    private int room() {
        int held = unfinished.get();
        int ahead = ahead();
        if (held >= settings.concurrency() + ahead / 2) {
            return 0;
        }
        return Math.min(MOST_CLAIMED, settings.concurrency() + ahead - held);
    }

    private int ahead() {
        double usual = usualNanos;
        return usual <= 0
                ? 0
                : (int) Math.min((double) settings.prefetch(), settings.concurrency() * (AHEAD_NANOS / usual));
    }

    private int claim(int room) {
        List<Claim> ended = new ArrayList<>();
        while (ended.size() < room) {
            Claim next = endedInGroups.poll();
            if (next == null) {
                break;
            }
            ended.add(next);
        }
        int claimed = 0;
        if (!ended.isEmpty()) {
            claimed = take(() -> claims.claimNextInGroups(ended));
        }
        int left = room - claimed;
        return left > 0 ? claimed + take(() -> claims.claim(left)) : claimed;
    }

    /** A claim. */
    @FunctionalInterface
    private interface Claiming {
        List<Claim> claim();
    }

    private int take(Claiming claiming) {
        long begin = settings.nanoTime().getAsLong();
        List<Claim> claimed = claiming.claim();
        long leaseEndsAt = begin + settings.lease().toNanos();
        if (!claimed.isEmpty()) {
            long nanos = settings.nanoTime().getAsLong() - begin;
            settings.listener().tell(listener -> listener.onClaimed(settings.queue(), claimed.size(), nanos));
        }
        unfinished.addAndGet(claimed.size());
        for (Claim claim : claimed) {
            Job job = new Job(claim, settings.nanoTime(), leaseEndsAt);
            // If this worker's own lease on it had ended, the job is claimed anew while its old handler still runs.
            Job old = inHand.put(claim.id(), job);
            if (old != null) {
                old.lose();
            }
            buffer.add(new Next(job));
        }
        return claimed.size();
    }

    private void handle() {
        try {
            while (true) {
                Next next = buffer.poll(1, TimeUnit.SECONDS);
                if (next != null && next.job() == null) {
                    return;
                }
                if (next != null) {
                    handle(Objects.requireNonNull(next.job()));
                }
            }
        } catch (InterruptedException e) {
            LOG.warn("a handler's thread was interrupted from outside and ends", e);
        } finally {
            handlersEnded.countDown();
        }
    }

    private void handle(Job job) {
        long begin = settings.nanoTime().getAsLong();
        Throwable failure = null;
        if (job.isLeaseLost()) {
            failure = new StaleJobException(job); // it waited here for too long; somebody else has it or will have it
        } else {
            failure = run(job);
        }
        long nanos = settings.nanoTime().getAsLong() - begin;
        reporter.report(job, nanos, failure, givingUp);
        long all = settings.nanoTime().getAsLong() - begin;
        usualNanos = usualNanos < 0 ? all : 0.95 * usualNanos + 0.05 * all;
        unfinished.decrementAndGet();
        if (claimerNeedsRoom && room() > 0) {
            claimer.wake();
        }
    }

    private @Nullable Throwable run(Job job) {
        JobHandler handler = Objects.requireNonNull(settings.handlers().get(job.type()));
        job.begin();
        try {
            handler.run(job);
            return null;
        } catch (Throwable failure) {
            return failure;
        } finally {
            job.end();
        }
    }

    private void ended(Ended ended) {
        Job job = ended.job();
        if (!job.tellEnd()) {
            return; // given back while its handler would not end
        }
        inHand.remove(job.id(), job);
        if (job.group().isPresent() && (ended.outcome() == Outcome.DONE || ended.outcome() == Outcome.DEAD)) {
            endedInGroups.add(job.claim());
            claimer.wake();
        }
        settings.listener().tell(listener -> listener.onEnded(ended));
    }

    /**
     * Stops: claims nothing more, gives back what no handler has begun with, waits for the handlers up to the stop limit, interrupts
     * those that still run, waits 5 s more for them, and gives their jobs back too, with no attempt lost. Leases are prolonged until
     * the very end. Returns when all that is done, also to others who call it meanwhile; never throws.
     */
    public void stop() {
        if (!stopping.compareAndSet(false, true)) {
            await(stopped, settings.stopLimit().plus(AFTER_INTERRUPT).plus(AFTER_INTERRUPT));
            return;
        }
        claimer.wake();
        wakeUps.remove(claimer);
        join("claimer");
        giveBackWaiting();
        for (int i = 0; i < settings.concurrency(); i++) {
            buffer.add(new Next(null));
        }
        if (!await(handlersEnded, settings.stopLimit())) {
            givingUp = true;
            inHand.values().forEach(Job::interrupt);
            if (!await(handlersEnded, AFTER_INTERRUPT)) {
                LOG.warn("handlers of queue {} did not end; their jobs are given to others", settings.queue());
            }
        }
        reporter.stop();
        join("reporter");
        release(List.copyOf(inHand.values()));
        keeper.stop();
        join("keeper");
        if (listening != null) {
            listening.stop();
            join("listener");
        }
        stopped.countDown();
    }

    private void giveBackWaiting() {
        List<Job> waiting = new ArrayList<>();
        for (Next next = buffer.poll(); next != null; next = buffer.poll()) {
            waiting.add(Objects.requireNonNull(next.job()));
        }
        release(waiting);
    }

    private void release(List<Job> jobs) {
        if (jobs.isEmpty()) {
            return;
        }
        try {
            store.release(jobs.stream().map(Job::claim).toList());
        } catch (RowlockException e) {
            LOG.warn("{} jobs could not be given back; they run elsewhere when their leases end", jobs.size(), e);
        }
        for (Job job : jobs) {
            job.lose();
            ended(new Ended(job, Outcome.RELEASED, 0, Optional.empty()));
        }
    }

    private void join(String role) {
        for (Thread thread : started) {
            if (thread.getName().endsWith("-" + role)) {
                try {
                    thread.join(AFTER_INTERRUPT.toMillis());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private static boolean await(CountDownLatch latch, Duration limit) {
        try {
            return latch.await(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** As {@link #stop}. */
    @Override
    public void close() {
        stop();
    }
}
