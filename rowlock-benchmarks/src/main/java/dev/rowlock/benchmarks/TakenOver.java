package dev.rowlock.benchmarks;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/** The handler of the worker that takes jobs over: when each began, and whether any began twice. They end when they are let. */
final class TakenOver implements JobQueue.Handler {
    private final int jobs;
    private final AtomicLongArray begun;
    private final AtomicLongArray runs;
    private final CountDownLatch sentinel = new CountDownLatch(1);
    private final CountDownLatch all;
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    /** Of the jobs from 0 on, and of one more with the next number that only shows that the worker is at work. */
    TakenOver(int jobs) {
        this.jobs = jobs;
        this.begun = new AtomicLongArray(jobs);
        this.runs = new AtomicLongArray(jobs);
        this.all = new CountDownLatch(jobs);
    }

    @Override
    public void run(int job) throws InterruptedException {
        if (job == jobs) {
            sentinel.countDown();
            return;
        }
        begun.compareAndSet(job, 0, System.nanoTime());
        if (runs.incrementAndGet(job) == 1) {
            all.countDown();
        }
        mayEnd.await();
    }

    void awaitSentinel(long seconds) throws InterruptedException, WrongResultException {
        WrongResultException.require(
                sentinel.await(seconds, TimeUnit.SECONDS), "a new job did not run here within " + seconds + " s");
    }

    void awaitAll(long seconds) throws InterruptedException, WrongResultException {
        WrongResultException.require(
                all.await(seconds, TimeUnit.SECONDS),
                all.getCount() + " of " + jobs + " jobs did not run here within " + seconds + " s");
    }

    void letEnd() {
        mayEnd.countDown();
    }

    void requireNone() throws WrongResultException {
        WrongResultException.require(
                all.getCount() == jobs, (jobs - all.getCount()) + " jobs ran here while they ran elsewhere");
    }

    void requireEachOnce() throws WrongResultException {
        for (int job = 0; job < jobs; job++) {
            WrongResultException.require(
                    runs.get(job) == 1, "job " + job + " ran here " + runs.get(job) + " times, not once");
        }
    }

    double medianMicros(long from) {
        return sorted(from)[jobs / 2];
    }

    double lastMicros(long from) {
        return sorted(from)[jobs - 1];
    }

    private double[] sorted(long from) {
        double[] micros = new double[jobs];
        for (int job = 0; job < jobs; job++) {
            micros[job] = (begun.get(job) - from) / 1000.0;
        }
        Arrays.sort(micros);
        return micros;
    }
}
