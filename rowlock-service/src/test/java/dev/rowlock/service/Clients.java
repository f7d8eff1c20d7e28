package dev.rowlock.service;

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
import java.util.function.IntFunction;

/** Clients that call the service at the same time; every wait is bounded, so a lost answer fails instead of hanging. */
final class Clients implements AutoCloseable {
    private static final long LIMIT_SECONDS = 90;

    private final ExecutorService executor = Executors.newCachedThreadPool();

    /** Starts one client. */
    <T> Future<T> start(Callable<T> client) {
        return executor.submit(client);
    }

    /** Starts this many clients at once, each told its number. */
    <T> List<Future<T>> crowd(int size, IntFunction<T> client) {
        CountDownLatch ready = new CountDownLatch(size);
        List<Future<T>> all = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int number = i;
            all.add(start(() -> {
                ready.countDown();
                if (!ready.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError("the other clients did not start");
                }
                return client.apply(number);
            }));
        }
        return all;
    }

    static <T> T result(Future<T> client) {
        try {
            return client.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | TimeoutException | ExecutionException e) {
            throw new AssertionError("the client got no answer", e);
        }
    }

    static <T> List<T> results(List<Future<T>> clients) {
        return clients.stream().map(Clients::result).toList();
    }

    /** How many answers have this status. */
    static long count(List<Answer> answers, int status) {
        return answers.stream().filter(answer -> answer.status() == status).count();
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
