package dev.rowlock.counter;

import dev.rowlock.Key;
import dev.rowlock.counter.NotBegunException.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Lets requests through at once as long as nobody is at their rows, and gathers those who come meanwhile: what has gathered when
 * the row is free again is the next batch. So nobody waits for a batch to fill, and batches are as large as the load makes them
 * (M. Thompson, "Smart Batching", 2011; the combining of one for all is that of D. Hendler et al., "Flat Combining and the
 * Synchronization-Parallelism Tradeoff", SPAA 2010).
 *
 * <p>An economy of this process, no protection: what is decided, is decided under the row's lock.
 */
final class Combiner {
    private final Limits limits;
    private final Executor executor;
    private final Function<List<Request>, List<Outcome>> work;

    private final ReentrantLock lock = new ReentrantLock();
    /** In the order of arrival. */
    private Deque<Request> waiting = new ArrayDeque<>();
    /** How many of those who wait want this row. */
    private final Map<Key, Integer> wanted = new HashMap<>();
    /** Rows at which a request or batch is. */
    private final Set<Key> busy = new HashSet<>();
    /** Rows that another transaction held when they were asked for; they are waited for apart from all others. */
    private final Set<Key> held = new HashSet<>();

    private int running;
    private boolean timerSet;
    private long requests;
    private long batches;
    private long combined;

    /**
     * @param queue how many requests may wait
     * @param batch how many requests one transaction takes at most
     * @param rows how many rows one transaction takes at most, if more than one request is in it
     * @param transactions how many run at once
     */
    record Limits(int queue, int batch, int rows, int transactions) {}

    /**
     * @param work carries out requests in the order given; must not throw
     */
    Combiner(Limits limits, Executor executor, Function<List<Request>, List<Outcome>> work) {
        this.limits = limits;
        this.executor = executor;
        this.work = work;
    }

    /**
     * Takes a request in.
     *
     * @return whether nobody is at its rows: then the caller carries it out by {@link #runAlone}
     * @throws NotBegunException if the queue is full
     */
    boolean enter(Request request) {
        lock.lock();
        try {
            requests++;
            boolean free = running < limits.transactions()
                    && request.keys().stream().noneMatch(key -> busy.contains(key) || wanted.containsKey(key));
            if (free) {
                running++;
                busy.addAll(request.keys());
                return true;
            }
            if (waiting.size() >= limits.queue()) {
                throw new NotBegunException(
                        Reason.QUEUE_FULL,
                        "the change " + request + " was not begun: " + waiting.size()
                                + " others wait already, which is the limit; try later",
                        null);
            }
            waiting.addLast(request);
            want(request, 1);
            if (request.isAsync()) {
                setTimer();
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Carries out a request that was let through, and lets others go on. */
    Outcome runAlone(Request request) {
        List<Request> one = List.of(request);
        try {
            return work.apply(one).get(0);
        } finally {
            leave(one, List.of());
        }
    }

    /** Takes in a request that no thread waits for, and sees to it that it is carried out. */
    void enterAsync(Request request) {
        if (!enter(request)) {
            return;
        }
        try {
            executor.execute(() -> request.complete(runAlone(request)));
        } catch (RejectedExecutionException e) {
            reject(List.of(request), e);
            startMore();
        }
    }

    /** Takes a request back; false if it was begun already. */
    boolean withdraw(Request request) {
        boolean removed;
        lock.lock();
        try {
            removed = remove(request);
        } finally {
            lock.unlock();
        }
        if (removed) {
            // Others may have waited behind it alone.
            startMore();
        }
        return removed;
    }

    CounterStats stats() {
        lock.lock();
        try {
            return new CounterStats(waiting.size(), running, requests, batches, combined);
        } finally {
            lock.unlock();
        }
    }

    private boolean remove(Request request) {
        boolean removed = waiting.remove(request);
        if (removed) {
            want(request, -1);
        }
        return removed;
    }

    private void want(Request request, int change) {
        for (Key key : request.keys()) {
            wanted.merge(key, change, (a, b) -> a + b == 0 ? null : Integer.valueOf(a + b));
        }
    }

    private void leave(List<Request> done, List<Request> deferred) {
        lock.lock();
        try {
            running--;
            release(done, deferred);
        } finally {
            lock.unlock();
        }
        startMore();
    }

    private void release(List<Request> done, List<Request> deferred) {
        done.forEach(request -> {
            busy.removeAll(request.keys());
            held.removeAll(request.keys());
        });
        deferred.forEach(request -> held.addAll(request.keys()));
        for (int i = deferred.size() - 1; i >= 0; i--) {
            waiting.addFirst(deferred.get(i));
            want(deferred.get(i), 1);
        }
    }

    /** Starts as many batches as can be at work beside each other. */
    private void startMore() {
        while (true) {
            List<Request> batch;
            lock.lock();
            try {
                batch = running < limits.transactions() ? take() : List.of();
                if (batch.isEmpty()) {
                    return;
                }
                running++;
            } finally {
                lock.unlock();
            }
            try {
                executor.execute(() -> work(batch));
            } catch (RejectedExecutionException e) {
                reject(batch, e);
            }
        }
    }

    private void reject(List<Request> batch, RejectedExecutionException e) {
        lock.lock();
        try {
            running--;
            release(batch, List.of());
        } finally {
            lock.unlock();
        }
        batch.forEach(request -> request.complete(Outcome.failed(new NotBegunException(
                Reason.REJECTED, "the change " + request + " was not begun: the executor does not take it", e))));
    }

    /** Works as long as there is something to do, so that a row that is in demand is handed on without a change of threads. */
    private void work(List<Request> first) {
        List<Request> batch = first;
        while (!batch.isEmpty()) {
            List<Outcome> outcomes = work.apply(batch);
            List<Request> deferred = answer(batch, outcomes);
            lock.lock();
            try {
                release(batch, deferred);
                batch = take();
                if (batch.isEmpty()) {
                    running--;
                }
            } finally {
                lock.unlock();
            }
            startMore();
        }
    }

    /** Answers all but those who must wait for a row that another transaction holds, and returns these. */
    private List<Request> answer(List<Request> batch, List<Outcome> outcomes) {
        List<Request> deferred = new ArrayList<>();
        List<Runnable> async = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            Request request = batch.get(i);
            Outcome outcome = outcomes.get(i);
            if (outcome.isDeferred()) {
                deferred.add(request);
            } else if (request.isAsync()) {
                async.add(() -> request.complete(outcome));
            } else {
                request.complete(outcome);
            }
        }
        if (!async.isEmpty()) {
            // What hangs on these answers may ask for the same rows again, so it must not run here.
            inExecutor(() -> async.forEach(Runnable::run));
        }
        return deferred;
    }

    private void inExecutor(Runnable answers) {
        try {
            executor.execute(answers);
        } catch (RejectedExecutionException e) {
            // It has been shut down: better an answer from this thread than none.
            answers.run();
        }
    }

    /**
     * The next batch, in order of arrival: those at whose rows nobody is and nobody waits who came before. Either of rows that can
     * probably be had at once, or of the same rows that another transaction holds.
     */
    private List<Request> take() {
        List<Request> batch = new ArrayList<>();
        Deque<Request> rest = new ArrayDeque<>();
        Set<Key> blocked = new HashSet<>();
        Set<Key> rows = new HashSet<>();
        boolean waits = false;
        for (Request request : waiting) {
            boolean free = batch.size() < limits.batch()
                    && request.keys().stream().noneMatch(key -> busy.contains(key) || blocked.contains(key));
            boolean isHeld = free && request.keys().stream().anyMatch(held::contains);
            if (batch.isEmpty()) {
                waits = isHeld;
            } else if (free) {
                free = waits ? request.keys().equals(rows) : !isHeld && fits(rows, request);
            }
            if (free) {
                batch.add(request);
                rows.addAll(request.keys());
                want(request, -1);
            } else {
                blocked.addAll(request.keys());
                rest.addLast(request);
            }
        }
        if (!batch.isEmpty()) {
            waiting = rest;
            busy.addAll(rows);
            batches++;
            combined += batch.size();
        }
        return batch;
    }

    private boolean fits(Set<Key> rows, Request request) {
        return rows.size() + request.keys().size() <= limits.rows();
    }

    /** Has those looked at who have no thread of their own that waits. */
    private void setTimer() {
        if (timerSet) {
            return;
        }
        long now = System.nanoTime();
        waiting.stream()
                .filter(Request::isAsync)
                .mapToLong(request -> request.deadlineNanos() - now)
                .min()
                .ifPresent(nanos -> {
                    timerSet = true;
                    CompletableFuture.delayedExecutor(Math.max(nanos, 0), TimeUnit.NANOSECONDS, executor)
                            .execute(this::expire);
                });
    }

    private void expire() {
        List<Request> expired = new ArrayList<>();
        lock.lock();
        try {
            long now = System.nanoTime();
            waiting.stream()
                    .filter(request -> request.isAsync() && request.deadlineNanos() - now <= 0)
                    .forEach(expired::add);
            expired.forEach(this::remove);
            timerSet = false;
            setTimer();
        } finally {
            lock.unlock();
        }
        startMore();
        expired.forEach(request -> request.complete(Outcome.failed(timedOut(request))));
    }

    static NotBegunException timedOut(Request request) {
        return new NotBegunException(
                Reason.TIMED_OUT,
                "the change " + request
                        + " was not begun: others were at the row for as long as it may wait; try later",
                null);
    }
}
