package dev.rowlock.jobs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Completes in one transaction what ends at about the same time: each caller waits until the end of its own job is durable, and whoever
 * comes while a transaction is under way is part of the next one. So nobody waits for others to come, and the busier a worker is, the
 * fewer commits a job costs. The callers do the work themselves: the first of those who wait takes all of them along (D. Hendler et al.,
 * "Flat Combining and the Synchronization-Parallelism Tradeoff", SPAA 2010). They are the handlers' threads, so their number is the
 * limit of a transaction.
 */
final class Completions {
    private final Function<List<Claim>, List<Completion>> work;

    private final ReentrantLock lock = new ReentrantLock();
    private Deque<Caller> waiting = new ArrayDeque<>();
    private boolean running;

    /** @param work completes jobs in one transaction, and tells what became of each, in their order */
    Completions(Function<List<Claim>, List<Completion>> work) {
        this.work = work;
    }

    /**
     * Completes a job, alone or with others.
     *
     * @throws dev.rowlock.RowlockException if the transaction failed, for whichever job in it: each has to be seen to by itself then
     */
    Completion complete(Claim claim) {
        Caller self = new Caller(claim);
        if (enter(self)) {
            run(List.of(self));
        } else {
            List<Caller> batch = self.awaitTurn();
            if (!batch.isEmpty()) {
                run(batch);
            }
        }
        return self.answer();
    }

    /** Returns whether nobody is at work, so that the caller is to begin at once. */
    private boolean enter(Caller self) {
        lock.lock();
        try {
            if (running) {
                waiting.addLast(self);
                return false;
            }
            running = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void run(List<Caller> batch) {
        List<Completion> completions = List.of();
        Throwable failure = null;
        try {
            completions = work.apply(batch.stream().map(caller -> caller.claim).toList());
        } catch (RuntimeException | Error e) {
            failure = e;
        }
        handOver();
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).tell(failure == null ? completions.get(i) : null, failure);
        }
    }

    /** Before the others are answered, so that the next transaction is on its way as early as can be. */
    private void handOver() {
        List<Caller> next;
        lock.lock();
        try {
            next = new ArrayList<>(waiting);
            waiting = new ArrayDeque<>();
            running = !next.isEmpty();
        } finally {
            lock.unlock();
        }
        if (!next.isEmpty()) {
            next.get(0).lead(next);
        }
    }

    /** A thread that waits for the answer, or for its turn to do the work. */
    private static final class Caller {
        private final Claim claim;
        private final Thread thread = Thread.currentThread();
        private volatile @Nullable List<Caller> batch;
        private @Nullable Completion completion;
        private @Nullable Throwable failure;

        Caller(Claim claim) {
            this.claim = claim;
        }

        /** Returns whom to complete, or nobody if that was done. An interrupt is left to what the thread does afterwards. */
        List<Caller> awaitTurn() {
            boolean interrupted = false;
            while (batch == null) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
            if (interrupted) {
                thread.interrupt();
            }
            return Objects.requireNonNull(batch);
        }

        void lead(List<Caller> callers) {
            batch = callers;
            LockSupport.unpark(thread);
        }

        void tell(@Nullable Completion result, @Nullable Throwable error) {
            completion = result;
            failure = error;
            if (Thread.currentThread() != thread) {
                lead(List.of());
            }
        }

        Completion answer() {
            if (failure instanceof RuntimeException exception) {
                throw exception;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            return Objects.requireNonNull(completion);
        }
    }
}
