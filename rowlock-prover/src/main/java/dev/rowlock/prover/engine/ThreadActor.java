package dev.rowlock.prover.engine;

/** Runs a program from its beginning to its end in a thread of its own, which waits at every gate. */
final class ThreadActor extends Actor implements Gate {
    /** Thrown out of a gate to end a program whose schedule is given up. */
    private static final class GivenUp extends RuntimeException {
        GivenUp() {
            super("the schedule was given up", null, false, false);
        }
    }

    private final Program.InOneGo program;
    private boolean released;

    ThreadActor(Program.InOneGo program) {
        super(program);
        this.program = program;
    }

    /** In a new thread for each run: the program may keep it, interrupt it or ask whether it is alive. */
    @Override
    void start() {
        Thread thread = new Thread(this::run, "actor-" + program.name());
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            end(program.run(this));
        } catch (Throwable e) {
            fail(e);
        }
    }

    @Override
    public void pass(String next) {
        changeAndAwait(() -> arrive(next), this::mayGoOn);
        if (isGivenUp()) {
            throw new GivenUp();
        }
    }

    private boolean mayGoOn() {
        boolean may = released || isGivenUp();
        released = false;
        return may;
    }

    @Override
    void release() {
        change(() -> {
            released = true;
            depart();
        });
    }

    @Override
    boolean mayStayBehind() {
        return true;
    }
}
