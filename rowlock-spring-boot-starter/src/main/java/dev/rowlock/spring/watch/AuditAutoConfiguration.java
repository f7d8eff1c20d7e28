package dev.rowlock.spring.watch;

import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** The lock audit, if it is asked for: it costs a walk of the stack for each statement. */
@AutoConfiguration
@ConditionalOnProperty(name = "rowlock.watch.audit.enabled", havingValue = "true")
public class AuditAutoConfiguration {

    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AuditCounts rowlockAuditCounts() {
        return new AuditCounts();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AuditPostProcessor rowlockAuditPostProcessor(ObjectProvider<AuditCounts> audit) {
        return new AuditPostProcessor(audit);
    }

    /** Its meters. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class Meters {
        @Bean
        AuditMeters rowlockAuditMeters(AuditCounts counts) {
            return new AuditMeters(counts);
        }
    }
}
