package dev.rowlock.spring.watch;

import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Puts the audit around pools, and not around what hands out their connections: each statement is to be seen once. */
final class AuditPostProcessor implements BeanPostProcessor {
    private final ObjectProvider<AuditCounts> audit;

    AuditPostProcessor(ObjectProvider<AuditCounts> audit) {
        this.audit = audit;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        boolean isPool = bean instanceof DataSource
                && !(bean instanceof DelegatingDataSource)
                && !(bean instanceof AbstractRoutingDataSource);
        return isPool ? audit.getObject().around((DataSource) bean) : bean;
    }
}
