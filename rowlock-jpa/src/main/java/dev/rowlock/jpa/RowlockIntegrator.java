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
    /**
     * A setting of a session factory: a {@link dev.rowlock.RowlockListener} whose {@code onConflict} is told of writers that collide over its
     * entities: at a flush of Hibernate's, by its own optimistic locking or a {@code lock_timeout}, and in {@link JpaLocks} and
     * {@link JpaVersions}; each once. An entity that a flush finds changed or gone is {@code STALE}.
     */
    public static final String LISTENER = "rowlock.listener";

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
        JpaConflicts conflicts = JpaConflicts.of(factory);
        if (conflicts != null) {
            WatchedFlush.addTo(registry, conflicts);
        }
    }

    @Override
    public void disintegrate(SessionFactoryImplementor factory, SessionFactoryServiceRegistry registry) {}
}
