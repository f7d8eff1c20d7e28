package dev.rowlock.jpa;

import java.util.List;
import org.hibernate.engine.spi.CollectionEntry;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SessionImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.Status;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.AbstractCollectionEvent;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.FlushEntityEvent;
import org.hibernate.event.spi.PostInsertEvent;
import org.hibernate.event.spi.PostInsertEventListener;
import org.hibernate.event.spi.PostUpdateEvent;
import org.hibernate.event.spi.PostUpdateEventListener;
import org.hibernate.event.spi.PreDeleteEvent;
import org.hibernate.event.spi.PreDeleteEventListener;
import org.hibernate.event.spi.PreInsertEvent;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.event.spi.PreUpdateEvent;
import org.hibernate.event.spi.PreUpdateEventListener;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Sees what a flush writes and raises the parents of it. It looks at all entities before the first of them is written, so that parents are
 * raised before their children and in one order; what it did not see coming is raised when it is written.
 */
final class ParentGuard
        implements PreInsertEventListener,
                PreUpdateEventListener,
                PreDeleteEventListener,
                PostInsertEventListener,
                PostUpdateEventListener {
    private static final long serialVersionUID = 1L;

    private final transient ParentDeclarations declarations;

    ParentGuard(ParentDeclarations declarations) {
        this.declarations = declarations;
    }

    void addTo(EventListenerRegistry registry) {
        registry.prependListeners(EventType.FLUSH_ENTITY, this::beforeScheduled);
        registry.appendListeners(EventType.FLUSH_ENTITY, this::afterScheduled);
        registry.appendListeners(EventType.FLUSH, event -> afterFlush(event.getSession(), true));
        registry.appendListeners(
                EventType.AUTO_FLUSH, event -> afterFlush(event.getSession(), event.isFlushRequired()));
        registry.appendListeners(EventType.PRE_INSERT, this);
        registry.appendListeners(EventType.PRE_UPDATE, this);
        registry.appendListeners(EventType.PRE_DELETE, this);
        registry.appendListeners(EventType.POST_INSERT, this);
        registry.appendListeners(EventType.POST_UPDATE, this);
        registry.appendListeners(EventType.PRE_COLLECTION_RECREATE, this::onCollection);
        registry.appendListeners(EventType.PRE_COLLECTION_UPDATE, this::onCollection);
        registry.appendListeners(EventType.PRE_COLLECTION_REMOVE, this::onCollection);
    }

    private boolean concerns(EntityPersister entity) {
        return declarations.isChild(entity) || declarations.isParent(entity);
    }

    private RaisedParents raised(SessionImplementor session) {
        return RaisedParents.of(session, declarations);
    }

    /** Before Hibernate's own listener, which puts the update of this entity into the queue if it needs one. */
    private void beforeScheduled(FlushEntityEvent event) {
        SessionImplementor session = event.getSession();
        if (concerns(event.getEntityEntry().getPersister()) && session.isTransactionInProgress()) {
            raised(session).begin(session.getActionQueue().numberOfUpdates());
        }
    }

    private void afterScheduled(FlushEntityEvent event) {
        EntityEntry entry = event.getEntityEntry();
        SessionImplementor session = event.getSession();
        EntityPersister entity = entry.getPersister();
        if (!concerns(entity) || !session.isTransactionInProgress()) {
            return;
        }
        RaisedParents parents = raised(session);
        boolean isNew = !entry.isExistsInDatabase();
        boolean isChanged = parents.isQueued(session.getActionQueue().numberOfUpdates());
        if (isChanged && declarations.isParent(entity)) {
            parents.willBeWritten(entry.getEntityKey());
        }
        if (declarations.isChild(entity)) {
            String name = RaisedParents.name(entry);
            if (entry.getStatus() == Status.DELETED) {
                parents.foresee(declarations.parents(entity, entry.getDeletedState()), name, session);
            } else if (isNew || isChanged) {
                parents.foresee(declarations.parents(entity, isNew ? null : entry.getLoadedState()), name, session);
                parents.foresee(declarations.parents(entity, entity.getValues(event.getEntity())), name, session);
            }
        }
    }

    private void afterFlush(SessionImplementor session, boolean isWritten) {
        RaisedParents parents = RaisedParents.ifAny(session);
        if (parents != null && isWritten) {
            parents.raiseAll(session);
        } else if (parents != null) {
            parents.forgetFlush();
        }
    }

    @Override
    public boolean onPreInsert(PreInsertEvent event) {
        beforeWrite(event, event.getPersister(), event.getId(), null, event.getState());
        return false;
    }

    @Override
    public boolean onPreUpdate(PreUpdateEvent event) {
        beforeWrite(event, event.getPersister(), event.getId(), event.getOldState(), event.getState());
        return false;
    }

    @Override
    public boolean onPreDelete(PreDeleteEvent event) {
        beforeWrite(event, event.getPersister(), event.getId(), event.getDeletedState(), null);
        return false;
    }

    private void beforeWrite(
            Object event,
            EntityPersister entity,
            @Nullable Object id,
            Object @Nullable [] before,
            Object @Nullable [] after) {
        if (!declarations.isChild(entity)) {
            return;
        }
        String name = entity.getEntityName() + " " + id;
        if (!(EventSession.of(event) instanceof SessionImplementor session)) {
            throw new IllegalStateException(
                    name + " raises the version of its parent, which a stateless session does not know;"
                            + " write it in a session");
        }
        RaisedParents parents = raised(session);
        parents.add(declarations.parents(entity, before), name, session);
        parents.add(declarations.parents(entity, after), name, session);
        if (session.getPersistenceContextInternal().isFlushing()) {
            parents.raiseUnwritten(session);
        } // else a persist that inserts at once: the parent may have changes of its own that the flush will bring
    }

    /** Rows of a child's own collections are the child's. */
    private void onCollection(AbstractCollectionEvent event) {
        SessionImplementor session = event.getSession();
        Object owner = event.getAffectedOwnerOrNull();
        EntityEntry entry =
                owner == null ? null : session.getPersistenceContextInternal().getEntry(owner);
        if (entry != null && declarations.isChild(entry.getPersister()) && !isInverse(event, session)) {
            RaisedParents parents = raised(session);
            parents.add(
                    declarations.parents(entry.getPersister(), entry.getLoadedState()),
                    RaisedParents.name(entry),
                    session);
            parents.raiseUnwritten(session);
        }
    }

    /** Its rows are other entities then, which speak for themselves. */
    private static boolean isInverse(AbstractCollectionEvent event, SessionImplementor session) {
        CollectionEntry entry = session.getPersistenceContextInternal().getCollectionEntry(event.getCollection());
        if (entry == null) {
            return false;
        }
        CollectionPersister persister =
                entry.getCurrentPersister() == null ? entry.getLoadedPersister() : entry.getCurrentPersister();
        return persister != null && persister.isInverse();
    }

    @Override
    public void onPostInsert(PostInsertEvent event) {
        if (declarations.isParent(event.getPersister())) {
            isRaised(event, event.getPersister(), event.getId());
        }
    }

    @Override
    public void onPostUpdate(PostUpdateEvent event) {
        EntityPersister entity = event.getPersister();
        if (declarations.isParent(entity) && isRaised(entity, event.getOldState(), event.getState())) {
            isRaised(event, entity, event.getId());
        }
    }

    /** Not every change raises the version: an attribute can be excluded. */
    private static boolean isRaised(EntityPersister entity, Object @Nullable [] before, Object[] after) {
        int version = List.of(entity.getPropertyNames())
                .indexOf(entity.getVersionMapping().getVersionAttribute().getAttributeName());
        return before == null || version < 0 || !entity.getVersionType().isEqual(before[version], after[version]);
    }

    private void isRaised(Object event, EntityPersister entity, Object id) {
        SharedSessionContractImplementor session = EventSession.of(event);
        if (session instanceof SessionImplementor open) {
            raised(open).isRaised(open.generateEntityKey(id, entity));
        }
    }

    @Override
    public boolean requiresPostCommitHandling(EntityPersister persister) {
        return false;
    }
}
