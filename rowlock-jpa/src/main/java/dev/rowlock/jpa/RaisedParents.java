package dev.rowlock.jpa;

import dev.rowlock.watch.LockClause.Strength;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hibernate.Hibernate;
import org.hibernate.LockMode;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.EntityKey;
import org.hibernate.engine.spi.PersistenceContext;
import org.hibernate.engine.spi.SessionImplementor;
import org.hibernate.engine.spi.Status;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.jspecify.annotations.Nullable;

/** The parents whose versions one transaction raises. */
final class RaisedParents {
    /** One order for all, so that two who raise the same parents do not deadlock. */
    private static final Comparator<EntityKey> BY_KEY = Comparator.comparing(EntityKey::getEntityName)
            .thenComparing((one, other) -> compareIds(one.getIdentifier(), other.getIdentifier()));

    private static final OfTransaction<RaisedParents> OPEN = new OfTransaction<>();

    private final ParentDeclarations declarations;
    private final Set<EntityKey> raised = new HashSet<>();
    /** Still to be raised, by the version that was loaded. */
    private final Map<EntityKey, Object> due = new LinkedHashMap<>();
    /** Due only because the flush that is under way is about to write a child. */
    private final Set<EntityKey> foreseen = new HashSet<>();
    /** Written by the flush that is under way, which may raise their versions. */
    private final Set<EntityKey> written = new HashSet<>();

    private int updates;

    private RaisedParents(ParentDeclarations declarations) {
        this.declarations = declarations;
    }

    static RaisedParents of(SessionImplementor session, ParentDeclarations declarations) {
        return OPEN.of(session, () -> new RaisedParents(declarations), parents -> parents.raiseAll(session));
    }

    static @Nullable RaisedParents ifAny(SessionImplementor session) {
        return OPEN.ifAny(session);
    }

    /** How many updates the flush has in its queue before it looks at an entity. */
    void begin(int queuedUpdates) {
        updates = queuedUpdates;
    }

    /** Whether it has one more after that. */
    boolean isQueued(int queuedUpdates) {
        return queuedUpdates > updates;
    }

    void willBeWritten(EntityKey parent) {
        written.add(parent);
    }

    /** Its version is another one already, or nobody else has ever seen it. */
    void isRaised(EntityKey parent) {
        raised.add(parent);
        due.remove(parent);
    }

    /** As {@link #add}, but of a flush that may still come to nothing: one before a query that needs none. */
    void foresee(List<Object> parents, String child, SessionImplementor session) {
        Set<EntityKey> before = Set.copyOf(due.keySet());
        add(parents, child, session);
        due.keySet().stream().filter(key -> !before.contains(key)).forEach(foreseen::add);
    }

    /**
     * Takes note that parents have to be raised, and the parents of those that are children.
     *
     * @throws UnguardedParentException if one was not loaded
     */
    void add(List<Object> parents, String child, SessionImplementor session) {
        PersistenceContext context = session.getPersistenceContextInternal();
        for (Object parent : parents) {
            LazyInitializer lazy = HibernateProxy.extractLazyInitializer(parent);
            if (lazy != null && lazy.isUninitialized()) {
                throw new UnguardedParentException(child, lazy.getEntityName() + " " + lazy.getInternalIdentifier());
            }
            Object entity = Hibernate.unproxy(parent);
            EntityEntry entry = context.getEntry(entity);
            if (entry == null || !Hibernate.isInitialized(entity)) {
                throw new UnguardedParentException(child, entry == null ? detached(entity, session) : name(entry));
            }
            boolean isNew = !entry.isExistsInDatabase();
            boolean isGone = entry.getStatus() == Status.DELETED || entry.getStatus() == Status.GONE;
            if (!isNew && !isGone && !raised.contains(entry.getEntityKey()) && !due.containsKey(entry.getEntityKey())) {
                due.put(entry.getEntityKey(), entry.getVersion());
                add(declarations.parents(entry.getPersister(), entry.getLoadedState()), name(entry), session);
            }
        }
    }

    static String name(EntityEntry entry) {
        return entry.getEntityName() + " " + entry.getId();
    }

    private static String detached(Object entity, SessionImplementor session) {
        EntityPersister persister = session.getEntityPersister(null, entity);
        return persister.getEntityName() + " " + persister.getIdentifier(entity, session);
    }

    /** Those that the flush does not write itself: before it writes the first child. */
    void raiseUnwritten(SessionImplementor session) {
        List<EntityKey> unwritten = due.keySet().stream()
                .filter(key -> !written.contains(key))
                .sorted(BY_KEY)
                .toList();
        unwritten.forEach(key -> raise(key, session));
    }

    /** All that is left, at the end of a flush. */
    void raiseAll(SessionImplementor session) {
        written.clear();
        foreseen.clear();
        raiseUnwritten(session);
    }

    /** A flush that came to nothing. */
    void forgetFlush() {
        written.clear();
        due.keySet().removeAll(foreseen);
        foreseen.clear();
    }

    private void raise(EntityKey key, SessionImplementor session) {
        Object entity = session.getPersistenceContextInternal().getEntity(key);
        EntityEntry entry =
                entity == null ? null : session.getPersistenceContextInternal().getEntry(entity);
        Object version = due.remove(key);
        raised.add(key);
        if (entry == null) {
            descriptor(key, session).forceVersionIncrement(key.getIdentifier(), version, false, session);
        } else if (entry.getStatus() != Status.DELETED && entry.getStatus() != Status.GONE && !isForced(entry)) {
            HeldLocks held = HeldLocks.ifAny(session);
            if (held != null) {
                held.refuseUpgrade(key, Strength.FOR_NO_KEY_UPDATE, "a change of a child");
            }
            Object next = entry.getPersister().forceVersionIncrement(entry.getId(), entry.getVersion(), false, session);
            entry.forceLocked(entity, next);
        }
    }

    /** By {@link JpaVersions#touch}, or by a lock of this kind. */
    private static boolean isForced(EntityEntry entry) {
        return entry.getLockMode() == LockMode.PESSIMISTIC_FORCE_INCREMENT
                || entry.getLockMode() == LockMode.OPTIMISTIC_FORCE_INCREMENT;
    }

    private static EntityPersister descriptor(EntityKey key, SessionImplementor session) {
        return session.getFactory().getMappingMetamodel().getEntityDescriptor(key.getEntityName());
    }

    @SuppressWarnings("unchecked")
    private static int compareIds(Object one, Object other) {
        if (one instanceof Comparable<?> comparable && one.getClass() == other.getClass()) {
            return ((Comparable<Object>) comparable).compareTo(other);
        }
        return one.equals(other) ? 0 : one.toString().compareTo(other.toString());
    }
}
