package dev.rowlock.jobs;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/** Everything that a {@link Worker} was built with, checked. */
record WorkerSettings(
        String queue,
        Map<String, JobHandler> handlers,
        int concurrency,
        int prefetch,
        Duration lease,
        Duration pollInterval,
        Backoff backoff,
        int completionGroup,
        Duration stopLimit,
        Optional<DataSource> listenOn,
        ThreadFactory threads,
        SafeJobsListener listener,
        LongSupplier nanoTime) {

    /** So often that several may fail before a lease ends. */
    Duration renewAfter() {
        return lease.dividedBy(4);
    }

    Duration beat() {
        return lease.dividedBy(6);
    }
}
