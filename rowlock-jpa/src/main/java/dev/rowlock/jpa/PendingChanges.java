package dev.rowlock.jpa;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hibernate.Hibernate;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.engine.spi.CascadeStyle;
import org.hibernate.engine.spi.CascadingActions;
import org.hibernate.engine.spi.CollectionEntry;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.PersistenceContext;
import org.hibernate.engine.spi.SessionImplementor;
import org.hibernate.engine.spi.Status;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.entity.EntityPersister;

/** Looks for changes of managed entities that are not in the database yet, and which a refresh would lose. */
final class PendingChanges {
    private final SessionImplementor session;
    private final PersistenceContext context;
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    PendingChanges(SessionImplementor session) {
        this.session = session;
        this.context = session.getPersistenceContextInternal();
    }

    /**
     * Refuses an entity with changes, or one whose refresh would reach another one with changes by cascade.
     *
     * @throws DirtyEntityException naming the first one
     * @throws IllegalStateException if one was removed, or is not inserted yet
     */
    void refuse(Object entity) {
        EntityEntry entry = context.getEntry(entity);
        if (entry == null || !seen.add(entity)) {
            return;
        }
        Object id = entry.getId();
        String name = entry.getEntityName();
        if (entry.getStatus() == Status.DELETED || entry.getStatus() == Status.GONE) {
            throw new IllegalStateException(name + " " + id
                    + " was removed in this persistence context; flush before the lock, or lock it first");
        }
        if (!entry.isExistsInDatabase()) {
            throw new IllegalStateException(
                    name + " " + id
                            + " was persisted in this persistence context and is not in the database yet; flush before the lock");
        }
        List<String> dirty = dirty(entity, entry);
        if (!dirty.isEmpty()) {
            throw new DirtyEntityException(name, id, dirty);
        }
        if (entry.getPersister().hasCascades()) {
            refuseReached(entity, entry.getPersister());
        }
    }

    /**
     * Whether the entity has changes that were made while this transaction held the row: they are as they should be, and a refresh must
     * not take them away.
     */
    boolean areUnderLock(Object entity) {
        EntityEntry entry = context.getEntry(entity);
        HeldLocks held = HeldLocks.ifAny(session);
        return entry != null
                && held != null
                && held.isExclusive(entry.getEntityKey())
                && !dirty(entity, entry).isEmpty();
    }

    /** Refuses changes in any managed entity of this type, for a query that may return any of them. */
    void refuseAll(EntityPersister type) {
        for (Map.Entry<Object, EntityEntry> managed : context.reentrantSafeEntityEntries()) {
            if (type.isSubclassEntityName(managed.getValue().getEntityName())
                    && managed.getValue().getStatus() == Status.MANAGED
                    && managed.getValue().isExistsInDatabase()
                    && !areUnderLock(managed.getKey())) {
                refuse(managed.getKey());
            }
        }
    }

    private List<String> dirty(Object entity, EntityEntry entry) {
        EntityPersister persister = entry.getPersister();
        Object[] loaded = entry.getLoadedState();
        List<String> names = new ArrayList<>();
        if (loaded == null || entry.getStatus() != Status.MANAGED) {
            return names; // read-only: what is changed there is never written
        }
        Object[] current = persister.getValues(entity);
        int[] changed = persister.findDirty(current, loaded, entity, session);
        if (changed != null) {
            for (int index : changed) {
                names.add(persister.getPropertyNames()[index]);
            }
        }
        for (int i = 0; i < current.length; i++) {
            String name = persister.getPropertyNames()[i];
            if (!names.contains(name) && isChanged(current[i])) {
                names.add(name);
            }
        }
        return names;
    }

    private boolean isChanged(Object value) {
        if (!(value instanceof PersistentCollection<?> collection)) {
            return false;
        }
        if (collection.isDirty() || collection.hasQueuedOperations()) {
            return true;
        }
        CollectionEntry entry = context.getCollectionEntry(collection);
        CollectionPersister persister = entry == null ? null : entry.getLoadedPersister();
        // An element can change without its collection hearing of it.
        return persister != null
                && collection.wasInitialized()
                && !persister.isOneToMany()
                && !persister.isManyToMany()
                && !collection.equalsSnapshot(persister);
    }

    private void refuseReached(Object entity, EntityPersister persister) {
        CascadeStyle[] styles = persister.getPropertyCascadeStyles();
        Object[] values = persister.getValues(entity);
        for (int i = 0; i < styles.length; i++) {
            if (styles[i].doCascade(CascadingActions.REFRESH)
                    && values[i] != null
                    && Hibernate.isInitialized(values[i])) {
                Collection<?> reached = values[i] instanceof Collection<?> many
                        ? many
                        : values[i] instanceof Map<?, ?> map ? map.values() : List.of(values[i]);
                reached.stream().map(Hibernate::unproxy).toList().forEach(this::refuse);
            }
        }
    }
}
