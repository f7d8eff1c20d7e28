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

/** Runs the other parties of a race; every wait is bounded, so a lost race fails instead of hanging. */
final class Threads implements AutoCloseable {
    private static final long LIMIT_SECONDS = 30;

    private final ExecutorService executor = Executors.newCachedThreadPool();

    /** Starts another party. */
    <T> Future<T> start(Callable<T> party) {
        return executor.submit(party);
    }

    /** The party's result; its exception is wrapped in an {@link ExecutionException}. */
    static <T> T result(Future<T> party) throws ExecutionException {
        try {
            return party.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("the other party did not end", e);
        }
    }

    /** The exception that the party ended with. */
    static Throwable failure(Future<?> party) {
        try {
            Object result = result(party);
            throw new AssertionError("expected a failure, got " + result);
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    /** Waits for the latch. */
    static void await(CountDownLatch latch) {
        try {
            if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the other party did not get there");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Starts the same task many times at once and returns what each returned or threw. */
    <T> List<Object> crowd(int size, Callable<T> task) {
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

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
