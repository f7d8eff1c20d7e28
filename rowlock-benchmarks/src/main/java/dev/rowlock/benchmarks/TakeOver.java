package dev.rowlock.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.benchmarks.Comparison.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A process dies with jobs in hand: how long until another process, which is there already, runs them. */
final class TakeOver implements Contest {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final long PATIENCE_SECONDS = 60;
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final String STOPPED = "Jobs, process stands still";

    @Override
    public int number() {
        return 9;
    }

    @Override
    public String title() {
        return "A worker's process is killed: time until its jobs run elsewhere";
    }

    @Override
    public Result run(Bench bench) throws Exception {
        boolean quick = bench.plan().quick();
        Map<String, List<Trial>> trials = new LinkedHashMap<>();
        List<TakeOverKind> kinds = Arrays.stream(TakeOverKind.values())
                .filter(kind -> !quick || !kind.slow())
                .toList();
        int repeats = quick ? Math.min(2, bench.plan().repeats()) : bench.plan().repeats();
        for (int i = 1; i <= repeats; i++) {
            for (TakeOverKind kind : kinds) {
                trials.computeIfAbsent(kind.entrant(), none -> new ArrayList<>())
                        .add(killed(bench, kind));
            }
            if (!quick || i == 1) {
                trials.computeIfAbsent(STOPPED, none -> new ArrayList<>()).add(stoodStill(bench));
            }
        }
        String ours = TakeOverKind.ROWLOCK.entrant();
        List<Comparison> comparisons = new ArrayList<>();
        comparisons.add(Comparison.within(trials, ours, Figure.P99_TIME, LIMIT));
        comparisons.add(Comparison.within(trials, STOPPED, Figure.P99_TIME, LIMIT));
        kinds.stream()
                .filter(kind -> kind != TakeOverKind.ROWLOCK)
                .map(kind -> Comparison.of(trials, ours, kind.entrant(), Figure.P99_TIME, 0.2, false))
                .forEach(comparisons::add);
        return new Result(number(), title(), trials, comparisons, notes(quick));
    }

    private static List<String> notes(boolean quick) {
        List<String> notes = new ArrayList<>(List.of(
                "The times are those of the median and of the last of " + TakeOverKind.JOBS
                        + " jobs. Each must have run here exactly once, and be completed.",
                "Where the process stands still instead, it is continued while its jobs run here, and tries to"
                        + " complete them: a completion that is accepted voids the number.",
                "db-queue has no sign of life: either its retry delay is longer than any job, or each job holds a"
                        + " transaction and a connection open, which ends with the process, but not with its machine or"
                        + " its network, and which no process that stands still gives back."));
        if (quick) {
            notes.add("The quick run leaves out those that need 8 s and more at their best: db-queue with separate"
                    + " transactions, Quartz, JobRunr.");
        }
        return notes;
    }

    /** What happens to the other process, and what is done until the jobs may end here. */
    private interface Fate {
        void befalls(OtherProcess other) throws Exception;
    }

    static Trial killed(Bench bench, TakeOverKind kind) throws Exception {
        return trial(bench, kind, kind.entrant(), OtherProcess::kill, other -> {});
    }

    static Trial stoodStill(Bench bench) throws Exception {
        int jobs = TakeOverKind.JOBS;
        return trial(
                bench,
                TakeOverKind.ROWLOCK,
                STOPPED,
                OtherProcess::stop,
                other -> {
                    long fences = fences(bench);
                    other.goOn();
                    // Both the completion in a transaction and the worker's own report have reached the database then.
                    other.await(List.of(OtherWorker.REFUSED, OtherWorker.ENDED_STALE), 2 * jobs);
                    WrongResultException.require(
                            fences(bench) == fences, "a completion from before the take-over changed something");
                },
                OtherWorker.REPORTS);
    }

    /** Changes when one of the jobs is completed or claimed again. */
    private static long fences(Bench bench) throws Exception {
        return bench.database().number("SELECT coalesce(sum(fence), 0) FROM rowlock_job WHERE state = 'running'");
    }

    private static Trial trial(
            Bench bench, TakeOverKind kind, String entrant, Fate fate, Fate meanwhile, String... more)
            throws Exception {
        int jobs = TakeOverKind.JOBS;
        TakenOver here = new TakenOver(jobs);
        String wrong = null;
        long from = 0;
        Usage before = Usage.now(bench.database());
        try (HikariDataSource pool = bench.database().pool(QueueRunner.CONNECTIONS);
                JobQueue queue = kind.factory().over(pool)) {
            queue.create(bench.database());
            queue.enqueue(0, jobs);
            try (OtherProcess other = OtherProcess.start(bench.database(), kind, more)) {
                other.await(OtherWorker.RUNNING, jobs);
                queue.start(here);
                // One more job shows that this worker is at work; the other one has its hands full.
                queue.enqueue(jobs, 1);
                here.awaitSentinel(PATIENCE_SECONDS);
                // Or each kill would come at the same point of the beats of both processes, which have just begun.
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
                here.requireNone();
                from = System.nanoTime();
                fate.befalls(other);
                here.awaitAll(PATIENCE_SECONDS);
                meanwhile.befalls(other);
                here.letEnd();
                awaitEmpty(bench, queue);
            }
            here.requireEachOnce();
        } catch (WrongResultException e) {
            wrong = e.getMessage();
        } finally {
            here.letEnd();
        }
        bench.database().awaitAlone();
        return trial(entrant, here, from, Usage.now(bench.database()).perOperationSince(before, jobs), wrong);
    }

    private static Trial trial(String entrant, TakenOver here, long from, Usage use, @Nullable String wrong) {
        return wrong != null
                ? new Trial(entrant, Double.NaN, Double.NaN, Double.NaN, use, wrong)
                : new Trial(entrant, Double.NaN, here.medianMicros(from), here.lastMicros(from), use, null);
    }

    private static void awaitEmpty(Bench bench, JobQueue queue) throws Exception {
        long from = System.nanoTime();
        while (bench.database().number(queue.left(0)) > 0) {
            WrongResultException.require(
                    System.nanoTime() - from < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS),
                    "the jobs ran here and are not completed");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }
}
