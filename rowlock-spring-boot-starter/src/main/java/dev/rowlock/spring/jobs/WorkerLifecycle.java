package dev.rowlock.spring.jobs;

import dev.rowlock.jobs.Worker;
import dev.rowlock.jobs.WorkerBuilder;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** Starts when everything else is there, and stops first: before the web server and the pool are closed. */
final class WorkerLifecycle implements SmartLifecycle {
    private final WorkerBuilder builder;
    private @Nullable Worker running;

    WorkerLifecycle(WorkerBuilder builder) {
        this.builder = builder;
    }

    /** The last to start and the first to stop. */
    @Override
    public int getPhase() {
        return SmartLifecycle.DEFAULT_PHASE;
    }

    @Override
    public void start() {
        running = builder.start();
    }

    @Override
    public void stop() {
        Worker worker = running;
        running = null;
        if (worker != null) {
            worker.stop();
        }
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }
}
