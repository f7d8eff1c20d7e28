package dev.rowlock.prover.engine;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program one step at a time, each in whatever thread is at hand: one that cannot wait in the controller's own, since to
 * hand it to another thread and to be woken at its end would cost as much as the step.
 */
final class StepActor extends Actor {
    private final Program.StepByStep program;
    private boolean underWay;

    StepActor(Program.StepByStep program) {
        super(program);
        this.program = program;
    }

    @Override
    void start() {
        advance();
    }

    /** In another thread, because it may have to wait. */
    @Override
    void release() {
        leaveGate();
        Threads.POOL.execute(this::advance);
    }

    /**
     * Takes the step it stands before, which must be one that cannot wait for another actor.
     *
     * @param cancel called if it takes longer than the limit all the same
     * @return whether it was taken within the limit
     */
    boolean takeHere(Duration limit, Runnable cancel) {
        leaveGate();
        ScheduledFuture<?> tooLong = Threads.TIMER.schedule(cancel, limit.toNanos(), TimeUnit.NANOSECONDS);
        advance();
        return tooLong.cancel(false);
    }

    private void leaveGate() {
        change(() -> {
            depart();
            underWay = true;
        });
    }

    private void advance() {
        try {
            Optional<String> next = program.advance(this);
            if (next.isPresent()) {
                if (!arriveUnlessGivenUp(next.get())) {
                    // At once, so that whoever waits for this one's locks can come to an end too.
                    program.finish();
                    change(() -> underWay = false);
                }
            } else {
                end(program.result());
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    private boolean arriveUnlessGivenUp(String next) {
        return decide(() -> {
            boolean arrives = !isGivenUp();
            if (arrives) {
                arrive(next);
                underWay = false;
            }
            return arrives;
        });
    }

    @Override
    void giveUp() {
        boolean idle = decide(() -> {
            super.giveUp();
            return !underWay;
        });
        if (idle) {
            program.finish();
        }
    }

    @Override
    boolean isOver() {
        return hasEnded() || !underWay;
    }

    @Override
    boolean mayStayBehind() {
        return false;
    }
}
