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
 */
@ConfigurationProperties("rowlock")
public record RowlockProperties(
        @DefaultValue("2s") Duration lockTimeout,
        @DefaultValue("15s") Duration statementTimeout,
        @DefaultValue("5") int maxAttempts) {}
