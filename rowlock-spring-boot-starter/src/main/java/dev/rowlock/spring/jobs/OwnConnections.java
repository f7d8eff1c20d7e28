package dev.rowlock.spring.jobs;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.util.ClassUtils;

/** Connections to the pool's database that are not the pool's. */
final class OwnConnections {
    private static final Logger LOG = LoggerFactory.getLogger(OwnConnections.class);

    private static final boolean WITH_HIKARI =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", OwnConnections.class.getClassLoader());

    private OwnConnections() {}

    /** Nothing if it cannot be told how the pool connects. */
    static Optional<DataSource> of(DataSource pool) {
        try {
            return Optional.of(DataSourceBuilder.derivedFrom(WITH_HIKARI ? Hikari.behind(pool) : pool)
                    .type(SimpleDriverDataSource.class)
                    .build());
        } catch (RuntimeException | SQLException e) {
            LOG.warn(
                    "jobs of other instances are found by polling alone: it cannot be told how {} connects ({}). Give the"
                            + " worker a data source of its own in a WorkerCustomizer, or set rowlock.jobs.listen=false",
                    pool.getClass().getName(),
                    e.getMessage());
            return Optional.empty();
        }
    }

    /** What stands around a pool, such as the lock audit, cannot be asked how it connects. Used only where HikariCP is there. */
    private static final class Hikari {
        static DataSource behind(DataSource pool) throws SQLException {
            return pool.isWrapperFor(HikariDataSource.class) ? pool.unwrap(HikariDataSource.class) : pool;
        }
    }
}
