package dev.rowlock.spring.transaction;

import dev.rowlock.RowlockListener;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Lets {@link RowlockListener} beans hear of conflicts over entities, if there are rowlock-jpa and Spring's JPA. */
@AutoConfiguration
@ConditionalOnClass(
        name = {"dev.rowlock.jpa.RowlockIntegrator", "org.springframework.orm.jpa.AbstractEntityManagerFactoryBean"})
public class EntityConflictsAutoConfiguration {

    @Bean
    static EntityConflicts rowlockEntityConflicts(ObjectProvider<RowlockListener> listeners) {
        return new EntityConflicts(listeners);
    }
}
