package dev.rowlock.spring.actuate;

import dev.rowlock.Rowlock;
import dev.rowlock.spring.RowlockProperties;
import dev.rowlock.spring.transaction.RowlockAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The actuator's endpoint. */
@AutoConfiguration(after = RowlockAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class, MeterRegistry.class})
@ConditionalOnBean(Rowlock.class)
public class EndpointAutoConfiguration {

    @Bean
    @ConditionalOnAvailableEndpoint(endpoint = RowlockEndpoint.class)
    RowlockEndpoint rowlockEndpoint(
            RowlockProperties properties,
            ObjectProvider<MeterRegistry> meters,
            ObjectProvider<RowlockEndpointContributor> contributors) {
        return new RowlockEndpoint(
                properties,
                Optional.ofNullable(meters.getIfUnique()),
                contributors.orderedStream().toList());
    }
}
