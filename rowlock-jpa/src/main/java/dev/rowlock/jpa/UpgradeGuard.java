package dev.rowlock.jpa;

import dev.rowlock.watch.LockClause.Strength;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.spi.PreDeleteEvent;
import org.hibernate.event.spi.PreDeleteEventListener;
import org.hibernate.event.spi.PreUpdateEvent;
import org.hibernate.event.spi.PreUpdateEventListener;
import org.hibernate.persister.entity.EntityPersister;

/** Stops the flush of an entity that is held under a shared lock, before its SQL is sent. */
final class UpgradeGuard implements PreUpdateEventListener, PreDeleteEventListener {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean onPreUpdate(PreUpdateEvent event) {
        check(event, event.getPersister(), event.getId(), Strength.FOR_NO_KEY_UPDATE, "the update");
        return false;
    }

    @Override
    public boolean onPreDelete(PreDeleteEvent event) {
        check(event, event.getPersister(), event.getId(), Strength.FOR_UPDATE, "the removal");
        return false;
    }

    private static void check(Object event, EntityPersister persister, Object id, Strength wanted, String what) {
        SharedSessionContractImplementor session = EventSession.of(event);
        HeldLocks held = HeldLocks.ifAny(session);
        if (session != null && held != null) {
            held.refuseUpgrade(session.generateEntityKey(id, persister), wanted, what);
        }
    }
}
