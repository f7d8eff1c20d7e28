package dev.rowlock.counter;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of counters without an executor of their own: as many as there are transactions of counters, gone when idle. */
final class Threads {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    static final Executor SHARED =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                Thread thread = new Thread(work, "rowlock-counter-" + NUMBER.incrementAndGet());
                thread.setDaemon(true);
                return thread;
            });

    private Threads() {}
}
