package dev.rowlock.service.database;

import dev.rowlock.Rowlock;
import io.micrometer.core.instrument.MeterRegistry;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The one {@link Rowlock} of the service. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RowlockProperties.class)
class RowlockConfiguration {

    @Bean
    Rowlock rowlock(DataSource dataSource, RowlockProperties properties, MeterRegistry meters) {
        return Rowlock.builder(dataSource)
                .lockTimeout(properties.lockTimeout())
                .statementTimeout(properties.statementTimeout())
                .maxAttempts(properties.maxAttempts())
                .listener(new MeteringListener(meters))
                .build();
    }
}
