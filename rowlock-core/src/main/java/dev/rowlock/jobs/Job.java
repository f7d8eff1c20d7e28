package dev.rowlock.jobs;

import dev.rowlock.Tx;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A job that this worker holds, handed to its {@link JobHandler}. */
public final class Job {
    private final Claim claim;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();

    private @Nullable Thread runner;
    private volatile long leaseEndsAt;
    private volatile boolean lost;
    private volatile boolean completing;
    private volatile boolean completed;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** @param leaseEndsAt by this process's own clock, counted from before the claim was sent, so never too late */
    Job(Claim claim, LongSupplier nanoTime, long leaseEndsAt) {
        this.claim = claim;
        this.nanoTime = nanoTime;
        this.leaseEndsAt = leaseEndsAt;
    }

    /** Its id. */
    public long id() {
        return claim.id();
    }

    /** The queue it waited in. */
    public String queue() {
        return claim.queue();
    }

    /** Its type. */
    public String type() {
        return claim.type();
    }

    /** What it was enqueued with. */
    public String payload() {
        return claim.payload();
    }

    /** Which attempt this is, from 1. */
    public int attempt() {
        return claim.attempt();
    }

    /** After how many attempts it is dead. */
    public int maxAttempts() {
        return claim.maxAttempts();
    }

    /** Its group, if it is in one. */
    public Optional<String> group() {
        return Optional.ofNullable(claim.group());
    }

    /**
     * The number of this claim of the job: every later claim has a larger one. Hand it to other systems that can refuse a smaller one
     * than they have seen.
     */
    public long fence() {
        return claim.fence();
    }

    /**
     * Whether the job must be taken for lost, because its lease could not be prolonged in time: it may be running elsewhere already. The
     * handler's thread is interrupted when that is noticed. Whatever this says, a lost job cannot be completed.
     */
    public boolean isLeaseLost() {
        return lost || nanoTime.getAsLong() - leaseEndsAt > 0;
    }

    /**
     * Completes the job in the caller's unit of work: what was done there and the job's end are committed together, so the effect
     * happens exactly once. From this call to the end of the transaction no other worker can take the job over.
     *
     * <p>At REPEATABLE READ and SERIALIZABLE call it first: the prolonging of the lease changes the job's row every now and then, and a
     * transaction whose snapshot is older than that is run again.
     *
     * @throws StaleJobException if the job is no longer held; let it pass, so that the unit of work is rolled back
     */
    public void completeIn(Tx tx) {
        completing = true;
        if (tx.execute(JobStore.COMPLETE, claim.id(), claim.fence()) != 1) {
            lost = true;
            throw new StaleJobException(this);
        }
        tx.afterCommit(() -> completed = true);
    }

    Claim claim() {
        return claim;
    }

    boolean isCompleting() {
        return completing;
    }

    boolean isCompleted() {
        return completed;
    }

    /** Whether this is the first to tell how the attempt ended. */
    boolean tellEnd() {
        return ended.compareAndSet(false, true);
    }

    long leaseEndsAt() {
        return leaseEndsAt;
    }

    void renewed(long endsAt) {
        leaseEndsAt = endsAt;
    }

    /** The handler begins in this thread. */
    void begin() {
        lock.lock();
        try {
            runner = Thread.currentThread();
        } finally {
            lock.unlock();
        }
    }

    /** The handler has ended; an interrupt that was meant for it does not reach what this thread does next. */
    void end() {
        lock.lock();
        try {
            runner = null;
            Thread.interrupted();
        } finally {
            lock.unlock();
        }
    }

    /** The job is another's by now. */
    void lose() {
        lost = true;
        interrupt();
    }

    /** Interrupts the handler, if it runs. */
    void interrupt() {
        lock.lock();
        try {
            if (runner != null) {
                runner.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Id, type and attempt, for messages. */
    @Override
    public String toString() {
        return "job " + id() + " (" + type() + ", attempt " + attempt() + " of " + maxAttempts() + ")";
    }
}
