package dev.rowlock.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Measures one entrant once: callers in a closed loop, each operation timed, the result checked. */
final class Runner {
    /** Behind the end of the measurement an operation has this long to return. */
    private static final long PATIENCE_SECONDS = 60;

    private final Bench bench;

    private volatile boolean measuring;
    private volatile boolean stopping;

    Runner(Bench bench) {
        this.bench = bench;
    }

    private record Told(long operations, Histogram measured) {}

    Trial run(Entrant entrant, Duration length) throws Exception {
        String wrong = null;
        List<Told> told = new ArrayList<>();
        double seconds;
        Usage before;
        try (Contender contender = entrant.opener().open(bench)) {
            before = Usage.now(bench.database());
            ExecutorService callers = Executors.newFixedThreadPool(entrant.callers());
            try {
                CountDownLatch ready = new CountDownLatch(entrant.callers());
                CountDownLatch begin = new CountDownLatch(1);
                List<Future<Told>> running = new ArrayList<>();
                for (int i = 0; i < entrant.callers(); i++) {
                    int number = i;
                    running.add(callers.submit(() -> call(contender, number, ready, begin)));
                }
                ready.await();
                begin.countDown();
                pause(entrant.warmUp());
                long from = System.nanoTime();
                measuring = true;
                pause(length);
                measuring = false;
                seconds = (System.nanoTime() - from) / 1e9;
                stopping = true;
                for (Future<Told> one : running) {
                    told.add(one.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
                }
                contender.check(told.stream().mapToLong(Told::operations).sum());
            } catch (WrongResultException e) {
                wrong = e.getMessage();
                seconds = Double.NaN;
            } catch (ExecutionException e) {
                wrong = "an operation failed: " + e.getCause();
                seconds = Double.NaN;
            } finally {
                stopping = true;
                callers.shutdownNow();
            }
        }
        bench.database().awaitAlone();
        Usage after = Usage.now(bench.database());
        long operations = Math.max(1, told.stream().mapToLong(Told::operations).sum());
        Histogram all = histogram();
        told.forEach(one -> all.add(one.measured()));
        return new Trial(
                entrant.name(),
                all.getTotalCount() / seconds,
                all.getValueAtPercentile(50) / 1000.0,
                all.getValueAtPercentile(99) / 1000.0,
                after.perOperationSince(before, operations),
                wrong);
    }

    private Told call(Contender contender, int number, CountDownLatch ready, CountDownLatch begin) throws Exception {
        Histogram times = histogram();
        long operations = 0;
        Call call;
        try {
            call = contender.caller(number);
        } finally {
            ready.countDown();
        }
        begin.await();
        while (!stopping) {
            long from = System.nanoTime();
            call.run();
            long nanos = System.nanoTime() - from;
            operations++;
            if (measuring) {
                times.recordValue(Math.min(nanos, times.getHighestTrackableValue()));
            }
        }
        return new Told(operations, times);
    }

    private static Histogram histogram() {
        return new Histogram(TimeUnit.MINUTES.toNanos(2), 3);
    }

    private static void pause(Duration length) throws InterruptedException {
        // Nothing ends it early: it is the length of the measurement.
        new CountDownLatch(1).await(length.toNanos(), TimeUnit.NANOSECONDS);
    }
}
