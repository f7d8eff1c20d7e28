package dev.rowlock.jobs;

import dev.rowlock.Rowlock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Collects what a {@link Worker} does and its limits. */
public final class WorkerBuilder {
    private final Rowlock rowlock;
    private final WakeUps wakeUps;
    private final Map<String, JobHandler> handlers = new LinkedHashMap<>();

    private String queue = JobRequest.DEFAULT_QUEUE;
    private int concurrency = 8;
    private int prefetch = 1_000;
    private Duration lease = Duration.ofMillis(1_200);
    private Duration pollInterval = Duration.ofMillis(250);
    private Duration retryBaseDelay = Duration.ofSeconds(1);
    private Duration retryMaxDelay = Duration.ofMinutes(10);
    private int completionGroup = 1;
    private Duration stopLimit = Duration.ofSeconds(20);
    private @Nullable DataSource listenOn;
    private ThreadFactory threads = WorkerBuilder::daemon;
    private JobsListener listener = JobsListener.NONE;
    private DoubleSupplier random = () -> ThreadLocalRandom.current().nextDouble();
    private LongSupplier nanoTime = System::nanoTime;

    WorkerBuilder(Rowlock rowlock, WakeUps wakeUps) {
        this.rowlock = rowlock;
        this.wakeUps = wakeUps;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    /** Which queue to work on: {@value JobRequest#DEFAULT_QUEUE} by default. */
    public WorkerBuilder queue(String name) {
        this.queue = Checks.name("queue", name);
        return this;
    }

    /**
     * Who runs the jobs of this type. Jobs of types without a handler are left to other workers.
     *
     * @throws IllegalArgumentException if the type has a handler already
     */
    public WorkerBuilder handle(String type, JobHandler handler) {
        if (handlers.putIfAbsent(Checks.name("type", type), handler) != null) {
            throw new IllegalArgumentException("there is a handler for jobs of type " + type + " already");
        }
        return this;
    }

    /** How many handlers run at the same time: 8 by default, from 1 to 1,000. Each has a thread of its own. */
    public WorkerBuilder concurrency(int handlersAtOnce) {
        this.concurrency = Checks.range("concurrency", handlersAtOnce, 1, 1_000);
        return this;
    }

    /**
     * How many jobs may be claimed ahead of the handlers at most: 1,000 by default, from 0 to 10,000. Within that, it is about as
     * many as the handlers get through in 100 ms, so that short jobs do not wait for claims and long ones not for this worker.
     */
    public WorkerBuilder prefetch(int most) {
        this.prefetch = Checks.range("prefetch", most, 0, 10_000);
        return this;
    }

    /**
     * For how long a job is held without a sign of life: 1.2 s by default, from 200 ms to 1 h. It is prolonged after a quarter of
     * that, and others look for ended leases every sixth of theirs, so the jobs of a killed worker run elsewhere after the lease, that
     * sixth and a claim. Longer than the pauses of the process, or its jobs are run twice for nothing.
     */
    public WorkerBuilder lease(Duration time) {
        this.lease = Checks.range("lease", time, Duration.ofMillis(200), Duration.ofHours(1));
        return this;
    }

    /** How often to look for jobs when nothing says that there are any: every 250 ms by default, from 10 ms to 1 min. */
    public WorkerBuilder pollInterval(Duration time) {
        this.pollInterval = Checks.range("pollInterval", time, Duration.ofMillis(10), Duration.ofMinutes(1));
        return this;
    }

    /**
     * Bounds of the random wait after a failed attempt: from nothing to {@code base} (1 s by default) after the first, doubled with
     * each one more, never more than {@code max} (10 min by default). From 1 ms to 24 h.
     */
    public WorkerBuilder retryDelay(Duration base, Duration max) {
        this.retryBaseDelay = Checks.range("retryDelay base", base, Duration.ofMillis(1), Duration.ofHours(24));
        this.retryMaxDelay = Checks.range("retryDelay max", max, base, Duration.ofHours(24));
        return this;
    }

    /**
     * Completes up to this many jobs at a time behind the handlers' backs: 1 by default, which completes each before its handler's thread
     * goes on, together with those that end at the same moment; at most 1,000. In groups a thread goes on at once, and the job is completed with whatever else has ended, without waiting for more.
     * That is many times faster for short jobs; the price is that if the process dies, all those run again whose completion had not
     * come to it.
     */
    public WorkerBuilder completeInGroups(int most) {
        this.completionGroup = Checks.range("completeInGroups", most, 1, 1_000);
        return this;
    }

    /** How long {@link Worker#stop} waits for handlers before it interrupts them: 20 s by default, from 0 to 1 h. */
    public WorkerBuilder stopLimit(Duration limit) {
        this.stopLimit = Checks.range("stopLimit", limit, Duration.ZERO, Duration.ofHours(1));
        return this;
    }

    /**
     * Takes one connection from here for as long as the worker runs, and waits on it to be told of new jobs (LISTEN). Without it jobs
     * enqueued by other processes are found by polling. Not through a pooler in transaction mode, which loses notifications. Needs the
     * PostgreSQL JDBC driver.
     */
    public WorkerBuilder listenOn(DataSource dataSource) {
        this.listenOn = dataSource;
        return this;
    }

    /** Makes the worker's threads, for instance virtual ones: daemon threads by default. */
    public WorkerBuilder threads(ThreadFactory factory) {
        this.threads = factory;
        return this;
    }

    /** Who hears of claims and ends: nobody by default. */
    public WorkerBuilder listener(JobsListener listener) {
        this.listener = listener;
        return this;
    }

    /** The source of jitter, from 0 inclusive to 1 exclusive: {@link ThreadLocalRandom} by default. */
    public WorkerBuilder random(DoubleSupplier random) {
        this.random = random;
        return this;
    }

    /** The clock, in nanoseconds from any origin: {@link System#nanoTime} by default. Leases are on the database's clock instead. */
    public WorkerBuilder nanoTime(LongSupplier clock) {
        this.nanoTime = clock;
        return this;
    }

    /**
     * Starts the worker.
     *
     * @throws IllegalStateException if it has no handler, or the PostgreSQL driver is missing and it is to listen
     */
    public Worker start() {
        if (handlers.isEmpty()) {
            throw new IllegalStateException("a worker needs at least one handler; call handle(type, handler)");
        }
        Worker worker = new Worker(
                rowlock,
                wakeUps,
                new WorkerSettings(
                        queue,
                        Map.copyOf(handlers),
                        concurrency,
                        prefetch,
                        lease,
                        pollInterval,
                        new Backoff(retryBaseDelay, retryMaxDelay, random),
                        completionGroup,
                        stopLimit,
                        Optional.ofNullable(listenOn),
                        threads,
                        new SafeJobsListener(listener),
                        nanoTime));
        worker.start();
        return worker;
    }
}
