package dev.rowlock.jobs;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the failures of a user's listener away from the worker. */
final class SafeJobsListener {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private final JobsListener listener;

    SafeJobsListener(JobsListener listener) {
        this.listener = listener;
    }

    void tell(Consumer<JobsListener> event) {
        try {
            event.accept(listener);
        } catch (Throwable e) {
            LOG.error(
                    "the listener {} failed; the worker goes on",
                    listener.getClass().getName(),
                    e);
        }
    }
}
