package dev.rowlock.prover.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A program in one schedule, which stops at every gate. The controller's side: {@link #start}, then {@link #awaitSettled} until it
 * stands at a gate or is done, {@link #release} to let it take one step.
 */
abstract class Actor implements Telling {
    private final Program program;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private final List<Touch> touches = new ArrayList<>();
    private boolean atGate;
    private boolean givenUp;
    private String step = "";
    private @Nullable ActorResult result;
    private @Nullable Throwable failure;

    Actor(Program program) {
        this.program = program;
    }

    static Actor of(Program program) {
        if (program instanceof Program.StepByStep steps) {
            return new StepActor(steps);
        }
        return new ThreadActor((Program.InOneGo) program);
    }

    Program program() {
        return program;
    }

    /** Lets it come to its first gate. */
    abstract void start();

    /** Lets it take the step it stands before. */
    abstract void release();

    /** Whether it can be left behind when it does not end. */
    abstract boolean mayStayBehind();

    /** Under the lock; whoever waits for this actor looks again. */
    final void change(Runnable what) {
        lock.lock();
        try {
            what.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #change}, and what came of it. */
    final boolean decide(BooleanSupplier what) {
        lock.lock();
        try {
            boolean decided = what.getAsBoolean();
            changed.signalAll();
            return decided;
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #change}, and then waits until that is so, under the lock. */
    final void changeAndAwait(Runnable what, BooleanSupplier until) {
        lock.lock();
        try {
            what.run();
            changed.signalAll();
            while (!until.getAsBoolean()) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** It stands before this step; under the lock. */
    final void arrive(String next) {
        step = next;
        atGate = true;
    }

    /** It stands before no step; under the lock. */
    final void depart() {
        atGate = false;
    }

    final void end(ActorResult ended) {
        // At once, so that whoever waits for this one's locks can come to an end too.
        if (isGivenUp()) {
            program.finish();
        }
        change(() -> result = ended);
    }

    final void fail(Throwable e) {
        if (isGivenUp()) {
            program.finish();
        }
        change(() -> failure = e);
    }

    @Override
    public void touched(Touch touch) {
        // Nobody waits for this, and to wake the controller for nothing would cost as much as a step.
        lock.lock();
        try {
            touches.add(touch);
        } finally {
            lock.unlock();
        }
    }

    /** What its steps touched since this was asked last; for when it has settled. */
    final List<Touch> takeTouches() {
        lock.lock();
        try {
            List<Touch> taken = List.copyOf(touches);
            touches.clear();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Ends it; a statement that still runs must have been cancelled or be bound to end. */
    void giveUp() {
        change(() -> givenUp = true);
    }

    /** Whether it stands at a gate or has ended, waiting for that as long as given. */
    final boolean awaitSettled(long nanos) {
        return await(() -> atGate || hasEnded(), nanos);
    }

    /** Waits until nothing of it runs any more, as long as given; whether that is so. */
    final boolean join(long millis) {
        return await(this::isOver, TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Whether nothing of it runs or will run; under the lock. */
    boolean isOver() {
        return hasEnded();
    }

    /** Under the lock. */
    final boolean hasEnded() {
        return result != null || failure != null;
    }

    private boolean await(BooleanSupplier what, long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (!what.getAsBoolean() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return what.getAsBoolean();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while exploring", e);
        } finally {
            lock.unlock();
        }
    }

    final boolean isGivenUp() {
        lock.lock();
        try {
            return givenUp;
        } finally {
            lock.unlock();
        }
    }

    final boolean isAtGate() {
        lock.lock();
        try {
            return atGate;
        } finally {
            lock.unlock();
        }
    }

    /** The step it stands before. */
    final String step() {
        lock.lock();
        try {
            return step;
        } finally {
            lock.unlock();
        }
    }

    /** What it ended with. */
    final ActorResult result() {
        lock.lock();
        try {
            if (failure != null) {
                throw new IllegalStateException("actor " + program.name() + " failed", failure);
            }
            if (result == null) {
                throw new IllegalStateException("actor " + program.name() + " has not ended");
            }
            return result;
        } finally {
            lock.unlock();
        }
    }
}
