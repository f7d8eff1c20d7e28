package dev.rowlock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs the other parties of a race; every wait is bounded, so a lost race fails instead of hanging. */
public final class Threads implements AutoCloseable {
    private static final long LIMIT_SECONDS = 30;

    private final ExecutorService executor = Executors.newCachedThreadPool();

    /** Starts another party. */
    public <T> Future<T> start(Callable<T> party) {
        return executor.submit(party);
    }

    /** The party's result; its exception is wrapped in an {@link ExecutionException}. */
    public static <T> T result(Future<T> party) throws ExecutionException {
        try {
            return party.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("the other party did not end", e);
        }
    }

    /** The exception that the party ended with. */
    public static Throwable failure(Future<?> party) {
        try {
            Object result = result(party);
            throw new AssertionError("expected a failure, got " + result);
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    /** Waits for the latch. */
    public static void await(CountDownLatch latch) {
        try {
            if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the other party did not get there");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Starts the same task many times at once and returns what each returned or threw. */
    public <T> List<Object> crowd(int size, Callable<T> task) {
        CountDownLatch ready = new CountDownLatch(size);
        CountDownLatch go = new CountDownLatch(1);
        List<Future<T>> all = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            all.add(start(() -> {
                ready.countDown();
                await(go);
                return task.call();
            }));
        }
        await(ready);
        go.countDown();
        List<Object> outcomes = new ArrayList<>();
        for (Future<T> one : all) {
            try {
                outcomes.add(result(one));
            } catch (ExecutionException e) {
                outcomes.add(e.getCause());
            }
        }
        return outcomes;
    }

    /** A party that calls {@code meet} in the middle of its transaction. */
    @FunctionalInterface
    public interface Party<T> {
        T run(Runnable meet) throws Exception;
    }

    /** What each of two parties returned or threw. */
    public record Both(Object first, Object second) {}

    /**
     * Lets the same party run twice so that the transactions overlap for certain: the second begins when the first meets it, and
     * the first goes on once the second waits inside the database.
     */
    public <T> Both secondWaits(TestDatabase database, Party<T> party) {
        return secondWaits(database, party, party);
    }

    /** As {@link #secondWaits(TestDatabase, Party)} with two different parties. */
    public Both secondWaits(TestDatabase database, Party<?> first, Party<?> second) {
        return overlap(first, second, () -> database.awaitBlocked(1));
    }

    /** The second party begins when the first meets it and ends before the first goes on. */
    public Both secondPasses(Party<?> first, Party<?> second) {
        return overlap(first, second, null);
    }

    private Both overlap(Party<?> first, Party<?> second, @Nullable Runnable untilSecondWaits) {
        AtomicReference<Future<Object>> started = new AtomicReference<>();
        Runnable meet = () -> {
            if (started.get() == null) {
                Future<Object> other = start(() -> second.run(() -> {}));
                started.set(other);
                if (untilSecondWaits == null) {
                    outcome(() -> result(other));
                } else {
                    untilSecondWaits.run();
                }
            }
        };
        Object firstOutcome = outcome(() -> first.run(meet));
        Future<Object> other = started.get();
        if (other == null) {
            throw new AssertionError("the first party met nobody; it ended with " + firstOutcome);
        }
        return new Both(firstOutcome, outcome(() -> result(other)));
    }

    private static Object outcome(Callable<?> party) {
        try {
            return party.call();
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (Exception e) {
            return e;
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
