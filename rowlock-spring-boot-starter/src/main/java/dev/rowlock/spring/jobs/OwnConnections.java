package dev.rowlock.spring.jobs;

import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/** Connections to the pool's database that are not the pool's. */
final class OwnConnections {
    private static final Logger LOG = LoggerFactory.getLogger(OwnConnections.class);

    private OwnConnections() {}

    /** Nothing if it cannot be told how the pool connects. */
    static Optional<DataSource> of(DataSource pool) {
        try {
            return Optional.of(DataSourceBuilder.derivedFrom(pool)
                    .type(SimpleDriverDataSource.class)
                    .build());
        } catch (RuntimeException e) {
            LOG.warn(
                    "jobs of other instances are found by polling alone: it cannot be told how {} connects ({}). Give the"
                            + " worker a data source of its own in a WorkerCustomizer, or set rowlock.jobs.listen=false",
                    pool.getClass().getName(),
                    e.getMessage());
            return Optional.empty();
        }
    }
}
