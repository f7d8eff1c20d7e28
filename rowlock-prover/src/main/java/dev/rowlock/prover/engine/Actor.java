package dev.rowlock.prover.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program in a thread of its own and stops it at every gate. The controller's side: {@link #awaitSettled} until it stands
 * at a gate or is done, {@link #release} to let it take one step.
 */
final class Actor implements Gate {
    /** Thrown out of a gate to end a program whose schedule is given up. */
    private static final class GivenUp extends RuntimeException {
        GivenUp() {
            super("the schedule was given up", null, false, false);
        }
    }

    /** To begin a thread takes longer than many a step. */
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(what -> thread(what, "actor"));

    private final Program program;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private final List<Touch> touches = new ArrayList<>();
    private boolean atGate;
    private boolean released;
    private boolean givenUp;
    private String step = "";
    private @Nullable ActorResult result;
    private @Nullable Throwable failure;

    Actor(Program program) {
        this.program = program;
        if (program.needsOwnThread()) {
            thread(this::run, "actor-" + program.name()).start();
        } else {
            THREADS.execute(this::run);
        }
    }

    private static Thread thread(Runnable what, String name) {
        Thread thread = new Thread(what, name);
        thread.setDaemon(true);
        return thread;
    }

    Program program() {
        return program;
    }

    private void run() {
        try {
            ActorResult ended = program.run(this);
            finishIfGivenUp();
            change(() -> result = ended);
        } catch (Throwable e) {
            finishIfGivenUp();
            change(() -> failure = e);
        }
    }

    /** At once, so that whoever waits for this one's locks can come to an end too. */
    private void finishIfGivenUp() {
        if (isGivenUp()) {
            program.finish();
        }
    }

    private void change(Runnable what) {
        lock.lock();
        try {
            what.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void pass(String next) {
        lock.lock();
        try {
            step = next;
            atGate = true;
            changed.signalAll();
            while (!released && !givenUp) {
                changed.awaitUninterruptibly();
            }
            if (givenUp) {
                throw new GivenUp();
            }
            released = false;
            atGate = false;
        } finally {
            lock.unlock();
        }
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
    List<Touch> takeTouches() {
        lock.lock();
        try {
            List<Touch> taken = List.copyOf(touches);
            touches.clear();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Lets it take the step it stands before. */
    void release() {
        change(() -> {
            released = true;
            atGate = false;
        });
    }

    /** Ends it; a statement that still runs must have been cancelled or be bound to end. */
    void giveUp() {
        change(() -> givenUp = true);
    }

    /** Whether it stands at a gate or has ended, waiting for that as long as given. */
    boolean awaitSettled(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (!isSettled() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return isSettled();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while exploring", e);
        } finally {
            lock.unlock();
        }
    }

    private boolean isSettled() {
        return atGate || result != null || failure != null;
    }

    private boolean isGivenUp() {
        lock.lock();
        try {
            return givenUp;
        } finally {
            lock.unlock();
        }
    }

    boolean isAtGate() {
        lock.lock();
        try {
            return atGate;
        } finally {
            lock.unlock();
        }
    }

    /** The step it stands before. */
    String step() {
        lock.lock();
        try {
            return step;
        } finally {
            lock.unlock();
        }
    }

    /** What it ended with. */
    ActorResult result() {
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

    /** Waits until it has ended, as long as given; whether it has. */
    boolean join(long millis) {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            while (result == null && failure == null && left > 0) {
                left = changed.awaitNanos(left);
            }
            return result != null || failure != null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while exploring", e);
        } finally {
            lock.unlock();
        }
    }
}
