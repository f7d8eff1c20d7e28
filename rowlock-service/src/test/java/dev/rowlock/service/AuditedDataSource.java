package dev.rowlock.service;

import dev.rowlock.watch.audit.LockAudits;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.stereotype.Component;

/** Lets the lock audit see all that the service sends. Found by the service's own scan. */
@Component
class AuditedDataSource implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof DataSource dataSource ? LockAudits.watch(dataSource) : bean;
    }
}
