package dev.rowlock.jpa;

import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;

/** Found by Hibernate itself: adds what watches over flushes to every session factory. */
public final class RowlockIntegrator implements Integrator {
    /** For Hibernate. */
    public RowlockIntegrator() {}

    @Override
    public void integrate(Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
        EventListenerRegistry registry = factory.getServiceRegistry().requireService(EventListenerRegistry.class);
        UpgradeGuard guard = new UpgradeGuard();
        registry.appendListeners(EventType.PRE_UPDATE, guard);
        registry.appendListeners(EventType.PRE_DELETE, guard);
        ParentDeclarations parents = ParentDeclarations.of(metadata);
        if (!parents.isEmpty()) {
            new ParentGuard(parents).addTo(registry);
        }
    }

    @Override
    public void disintegrate(SessionFactoryImplementor factory, SessionFactoryServiceRegistry registry) {}
}
