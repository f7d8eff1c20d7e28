package dev.rowlock.spring.meters;

import dev.rowlock.jobs.JobsListener;
import dev.rowlock.spring.retry.RetryAutoConfiguration;
import dev.rowlock.spring.transaction.RowlockAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The {@code rowlock.*} meters, if there is a {@link MeterRegistry}. */
@AutoConfiguration(
        before = {RowlockAutoConfiguration.class, RetryAutoConfiguration.class},
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
public class MetersAutoConfiguration {

    @Bean
    ConflictMeters rowlockConflictMeters(MeterRegistry meters) {
        return new ConflictMeters(meters);
    }

    @Bean
    MeteringListener rowlockMeteringListener(MeterRegistry meters, ConflictMeters conflicts) {
        return new MeteringListener(meters, conflicts);
    }

    @Bean
    RetryMeters rowlockRetryMeters(MeterRegistry meters, ConflictMeters conflicts) {
        return new RetryMeters(meters, conflicts);
    }

    @Bean
    @ConditionalOnMissingBean
    CounterMeters rowlockCounterMeters(MeterRegistry meters) {
        return new CounterMeters(meters);
    }

    @Bean
    @ConditionalOnMissingBean(JobsListener.class)
    JobMeters rowlockJobMeters(MeterRegistry meters) {
        return new JobMeters(meters);
    }

    /** Those of answers. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(name = "org.springframework.web.servlet.DispatcherServlet")
    static class Web {
        @Bean
        HttpMeters rowlockHttpMeters(MeterRegistry meters) {
            return new HttpMeters(meters);
        }

        @Bean
        ReplayMeters rowlockReplayMeters(MeterRegistry meters) {
            return new ReplayMeters(meters);
        }
    }
}
