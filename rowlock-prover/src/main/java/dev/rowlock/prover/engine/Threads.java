package dev.rowlock.prover.engine;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** Threads that no program of a user runs in; to begin one takes longer than many a step. */
final class Threads {
    /** For what may have to wait, and what is done at the same time as something else. */
    static final ExecutorService POOL = Executors.newCachedThreadPool(what -> thread(what, "actor"));

    /** For what is done only when something else takes too long. */
    static final ScheduledThreadPoolExecutor TIMER = timer();

    private Threads() {}

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, what -> thread(what, "step limit"));
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    private static Thread thread(Runnable what, String name) {
        Thread thread = new Thread(what, name);
        thread.setDaemon(true);
        return thread;
    }
}
