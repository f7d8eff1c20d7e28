package dev.rowlock.benchmarks;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Counts how often each of some numbered jobs ran: the handler of the contests, which does nothing else. */
final class Ran implements JobQueue.Handler {
    private static final long NEVER = Long.MIN_VALUE;

    private final int first;
    private final AtomicIntegerArray times;
    private final CountDownLatch all;
    private final AtomicInteger strangers = new AtomicInteger();
    private final AtomicLong firstAt = new AtomicLong(NEVER);

    /** Of the jobs with these numbers. */
    Ran(int first, int jobs) {
        this.first = first;
        this.times = new AtomicIntegerArray(jobs);
        this.all = new CountDownLatch(jobs);
    }

    @Override
    public void run(int job) {
        if (firstAt.get() == NEVER) {
            firstAt.compareAndSet(NEVER, System.nanoTime());
        }
        int index = job - first;
        if (index < 0 || index >= times.length()) {
            strangers.incrementAndGet();
        } else if (times.getAndIncrement(index) == 0) {
            all.countDown();
        }
    }

    /** Whether each has run at least once within this time. */
    boolean await(long millis) throws InterruptedException {
        return all.await(millis, TimeUnit.MILLISECONDS);
    }

    /** The lowest number of these jobs. */
    int first() {
        return first;
    }

    /** When the first one began, by {@link System#nanoTime}. */
    long firstAt() {
        return firstAt.get();
    }

    void requireEachOnce() throws WrongResultException {
        int never = 0;
        int more = strangers.get();
        for (int i = 0; i < times.length(); i++) {
            never += times.get(i) == 0 ? 1 : 0;
            more += Math.max(0, times.get(i) - 1);
        }
        WrongResultException.require(
                never == 0 && more == 0,
                "of " + times.length() + " jobs " + never + " never ran, and there were " + more + " runs too many");
    }
}
