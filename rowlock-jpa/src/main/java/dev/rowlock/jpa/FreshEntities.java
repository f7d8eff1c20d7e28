package dev.rowlock.jpa;

import jakarta.persistence.CacheRetrieveMode;
import jakarta.persistence.EntityNotFoundException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.CacheMode;
import org.hibernate.Hibernate;
import org.hibernate.UnresolvableObjectException;
import org.hibernate.engine.spi.EntityKey;
import org.hibernate.engine.spi.SessionImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Reads entities whose rows are locked, past everything that was known of them before: a managed one is refreshed in place, the
 * second-level cache is not asked.
 */
final class FreshEntities {
    private static final Map<String, Object> FROM_DATABASE =
            Map.of("jakarta.persistence.cache.retrieveMode", CacheRetrieveMode.BYPASS);

    private final SessionImplementor session;
    private final EntityPersister persister;

    FreshEntities(SessionImplementor session, EntityPersister persister) {
        this.session = session;
        this.persister = persister;
    }

    /** The one that is managed and loaded already, or null. */
    @Nullable
    Object managed(Object id) {
        EntityKey key = session.generateEntityKey(id, persister);
        return session.getPersistenceContextInternal().getEntity(key);
    }

    /** Those that are there, by their ids; what was changed under an earlier lock stays. One SELECT for all that are not managed, and one for each that is. */
    <E> Map<Object, E> read(Class<E> type, Collection<?> ids) {
        Map<Object, E> found = new HashMap<>();
        List<Object> absent = new ArrayList<>();
        PendingChanges changes = new PendingChanges(session);
        for (Object id : ids) {
            Object managed = managed(id);
            if (managed == null) {
                absent.add(id);
            } else if ((changes.areUnderLock(managed) || refresh(managed)) && type.isInstance(managed)) {
                found.put(id, type.cast(managed));
            }
        }
        load(type, absent).forEach(found::put);
        return found;
    }

    private <E> Map<Object, E> load(Class<E> type, List<Object> ids) {
        Map<Object, E> found = new HashMap<>();
        if (ids.isEmpty()) {
            return found;
        }
        List<E> loaded = new ArrayList<>();
        if (ids.size() == 1) {
            loaded.add(session.find(type, ids.get(0), FROM_DATABASE));
        } else {
            loaded.addAll(session.byMultipleIds(type).with(CacheMode.REFRESH).multiLoad(ids));
        }
        for (int i = 0; i < ids.size(); i++) {
            Object entity = Hibernate.unproxy(loaded.get(i));
            if (type.isInstance(entity)) {
                found.put(ids.get(i), type.cast(entity));
            }
        }
        return found;
    }

    /** Whether it is still there. */
    private boolean refresh(Object entity) {
        try {
            session.refresh(entity);
            return true;
        } catch (EntityNotFoundException | UnresolvableObjectException e) {
            return false;
        }
    }
}
