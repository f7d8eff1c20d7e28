package dev.rowlock.service.database;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The limits of every unit of work, as {@code rowlock.*} properties.
 *
 * @param lockTimeout how long a statement waits for one lock: 2 s by default; not longer than the statement timeout
 * @param statementTimeout how long a statement may take, waiting included: 15 s by default
 * @param maxAttempts how many times a unit of work is run at most, the first included: 5 by default, from 1 to 100
 * @param jobs the worker's
 */
@ConfigurationProperties("rowlock")
public record RowlockProperties(
        @DefaultValue("2s") Duration lockTimeout,
        @DefaultValue("15s") Duration statementTimeout,
        @DefaultValue("5") int maxAttempts,
        @DefaultValue Jobs jobs) {

    /**
     * The limits of this instance's worker, as {@code rowlock.jobs.*} properties.
     *
     * @param concurrency how many jobs run at the same time: 4 by default
     * @param lease for how long a job is held without a sign of life: 1.2 s by default
     * @param pollInterval how often to look for jobs when nothing says that there are any: 250 ms by default
     * @param stopLimit how long a shutdown waits for running jobs: 10 s by default
     */
    public record Jobs(
            @DefaultValue("4") int concurrency,
            @DefaultValue("1200ms") Duration lease,
            @DefaultValue("250ms") Duration pollInterval,
            @DefaultValue("10s") Duration stopLimit) {}
}
