package dev.rowlock.spring.transaction;

import dev.rowlock.RowlockListener;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;

/**
 * Gives rowlock-jpa the application's listeners, because the conflicts that Hibernate meets never pass through a unit of work. They
 * are asked for at the first conflict only: meters may need the entity manager factory themselves.
 */
final class EntityConflicts implements BeanPostProcessor {
    /** {@code RowlockIntegrator.LISTENER}, by text because not every application has it. */
    private static final String SETTING = "rowlock.listener";

    private final ObjectProvider<RowlockListener> beans;
    private volatile @Nullable RowlockListener listeners;

    EntityConflicts(ObjectProvider<RowlockListener> beans) {
        this.beans = beans;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof AbstractEntityManagerFactoryBean factory) {
            factory.getJpaPropertyMap().putIfAbsent(SETTING, new OfEntities(this));
        }
        return bean;
    }

    private RowlockListener listeners() {
        RowlockListener known = listeners;
        if (known == null) {
            known = new RowlockListeners(beans.orderedStream().toList());
            listeners = known;
        }
        return known;
    }

    private record OfEntities(EntityConflicts conflicts) implements RowlockListener {
        @Override
        public void onConflict(Conflict conflict) {
            conflicts.listeners().onConflict(conflict);
        }
    }
}
