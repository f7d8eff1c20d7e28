package dev.rowlock.spring.meters;

import dev.rowlock.jobs.Jobs;
import dev.rowlock.spring.RowlockProperties;
import dev.rowlock.spring.jobs.JobType;
import dev.rowlock.spring.jobs.JobsAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The meters of the queue, which come after it, while the others come before what they listen to. */
@AutoConfiguration(after = {JobsAutoConfiguration.class, MetersAutoConfiguration.class})
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({MeterRegistry.class, Jobs.class})
public class QueueMetersAutoConfiguration {

    @Bean
    @ConditionalOnBean(JobType.class)
    QueueMeters rowlockQueueMeters(Jobs jobs, RowlockProperties properties) {
        return new QueueMeters(jobs::stats, properties.jobs().queue(), System::nanoTime);
    }
}
