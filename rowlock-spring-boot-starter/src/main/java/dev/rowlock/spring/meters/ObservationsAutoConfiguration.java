package dev.rowlock.spring.meters;

import dev.rowlock.spring.transaction.RowlockAutoConfiguration;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Observations of units of work, if there is an {@link ObservationRegistry}. */
@AutoConfiguration(
        before = RowlockAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration"
        })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
public class ObservationsAutoConfiguration {

    @Bean
    ObservingListener rowlockObservingListener(ObservationRegistry registry) {
        return new ObservingListener(registry);
    }
}
