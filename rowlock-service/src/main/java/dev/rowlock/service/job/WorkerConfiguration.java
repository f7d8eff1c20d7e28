package dev.rowlock.service.job;

import dev.rowlock.Rowlock;
import dev.rowlock.jobs.Jobs;
import dev.rowlock.jobs.Worker;
import dev.rowlock.jobs.WorkerBuilder;
import dev.rowlock.service.database.RowlockProperties;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The queue, and the worker that every instance has. */
@Configuration(proxyBeanMethods = false)
class WorkerConfiguration {

    @Bean
    Jobs jobs(Rowlock rowlock) {
        return Jobs.over(rowlock);
    }

    @Bean
    WorkerLifecycle worker(
            Jobs jobs,
            List<JobType> types,
            JdbcConnectionDetails database,
            RowlockProperties properties,
            MeterRegistry meters) {
        WorkerBuilder builder = jobs.worker()
                .concurrency(properties.jobs().concurrency())
                .lease(properties.jobs().lease())
                .pollInterval(properties.jobs().pollInterval())
                .stopLimit(properties.jobs().stopLimit())
                .listenOn(ownConnection(database))
                .listener(new JobMeters(meters));
        types.forEach(type -> builder.handle(type.type(), type));
        return new WorkerLifecycle(builder);
    }

    /** It is held for as long as the worker runs, so it must not be one of the pool's. */
    private static DataSource ownConnection(JdbcConnectionDetails database) {
        DriverManagerDataSource own = new DriverManagerDataSource(database.getJdbcUrl());
        own.setUsername(database.getUsername());
        own.setPassword(database.getPassword());
        return own;
    }

    /** Starts when everything else is there, and stops before the pool is closed. */
    static final class WorkerLifecycle implements SmartLifecycle {
        private final WorkerBuilder builder;
        private @Nullable Worker running;

        WorkerLifecycle(WorkerBuilder builder) {
            this.builder = builder;
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
}
