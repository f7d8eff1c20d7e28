package dev.rowlock.spring.jobs;

import dev.rowlock.Rowlock;
import dev.rowlock.jobs.Jobs;
import dev.rowlock.jobs.JobsListener;
import dev.rowlock.jobs.WorkerBuilder;
import dev.rowlock.spring.RowlockProperties;
import dev.rowlock.spring.transaction.RowlockAutoConfiguration;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** The queue, and a worker if there are beans that handle jobs. */
@AutoConfiguration(after = RowlockAutoConfiguration.class)
@ConditionalOnBean(Rowlock.class)
public class JobsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Jobs rowlockJobs(Rowlock rowlock) {
        return Jobs.over(rowlock);
    }

    @Bean
    @ConditionalOnBean(JobType.class)
    @ConditionalOnProperty(name = "rowlock.jobs.enabled", matchIfMissing = true)
    WorkerLifecycle rowlockWorker(
            Jobs jobs,
            List<JobType> types,
            ObjectProvider<DataSource> dataSource,
            RowlockProperties properties,
            ObjectProvider<JobsListener> listener,
            ObjectProvider<WorkerCustomizer> customizers) {
        RowlockProperties.Jobs limits = properties.jobs();
        WorkerBuilder builder = jobs.worker()
                .queue(limits.queue())
                .concurrency(limits.concurrency())
                .lease(limits.lease())
                .pollInterval(limits.pollInterval())
                .stopLimit(limits.stopLimit());
        listener.ifUnique(builder::listener);
        if (limits.listen()) {
            dataSource.ifUnique(pool -> OwnConnections.of(pool).ifPresent(builder::listenOn));
        }
        types.forEach(type -> builder.handle(type.type(), type));
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return new WorkerLifecycle(builder);
    }
}
