package dev.rowlock.spring.watch;

import dev.rowlock.Rowlock;
import dev.rowlock.spring.actuate.EndpointAutoConfiguration;
import dev.rowlock.spring.actuate.RowlockEndpoint;
import dev.rowlock.watch.waits.LockWaits;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Lock waits, where there is an endpoint to show them. */
@AutoConfiguration(after = EndpointAutoConfiguration.class)
@ConditionalOnBean({Rowlock.class, RowlockEndpoint.class})
@ConditionalOnSingleCandidate(DataSource.class)
public class LockWaitsAutoConfiguration {

    /** The first of all, so that a part of the same name of the application's takes its place. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    LockWaitsContributor rowlockLockWaits(DataSource dataSource) {
        return new LockWaitsContributor(LockWaits.of(dataSource));
    }
}
