package dev.rowlock.jpa;

import dev.rowlock.MissingRowException;
import dev.rowlock.RowlockException;
import dev.rowlock.StaleRowException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.LockModeType;
import jakarta.persistence.OptimisticLockException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.hibernate.Hibernate;
import org.hibernate.StaleObjectStateException;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SessionImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Holds changes against the version that the <em>client</em> had read, which Hibernate by itself does not do: it compares the version
 * that it has loaded a moment ago, and ignores one that is copied onto a managed entity.
 *
 * <pre>{@code
 * Product product = JpaVersions.over(em).ifVersion(Product.class, id, request.version());
 * product.rename(request.name());             // raised by the flush, if nobody is faster
 * }</pre>
 *
 * <p>Versions are whole numbers ({@code @Version} on an int, long or short, or their wrappers).
 */
public final class JpaVersions {
    /** What {@link StaleRowException#expectedVersion} is where Hibernate does not tell. */
    public static final long UNKNOWN = -1;

    private final EntityManager em;

    private JpaVersions(EntityManager em) {
        this.em = em;
    }

    /** Over this entity manager, or the one that it stands for when a method is called. */
    public static JpaVersions over(EntityManager em) {
        return new JpaVersions(em);
    }

    /**
     * The entity, if it still has the version that the client had read. It is not locked: the flush finds out if somebody changes it
     * from here on, which {@link #translate} and {@link #flush} tell as the same errors.
     *
     * @param clientVersion must not be null: a request without a version is refused before any SQL is sent
     * @throws StaleRowException with the current row, if it has another version
     * @throws MissingRowException if there is no such entity
     * @throws IllegalArgumentException if the version is null, or the entity has none that is a whole number
     * @throws DirtyEntityException if it is managed and has changes already
     */
    public <E> E ifVersion(Class<E> type, Object id, @Nullable Long clientVersion) {
        long expected = required(clientVersion);
        SessionImplementor session = session();
        EntityPersister persister = session.getFactory().getMappingMetamodel().getEntityDescriptor(type);
        requireNumber(persister);
        FreshEntities entities = new FreshEntities(session, persister);
        Object managed = entities.managed(id);
        if (managed != null) {
            new PendingChanges(session).refuse(managed);
        }
        E entity = entities.read(type, List.of(id)).get(id);
        if (entity == null) {
            throw JpaConflicts.tell(new EntityRows(session, persister).explain(id, expected), session, persister);
        }
        ifVersion(entity, expected);
        return entity;
    }

    /**
     * Checks that a managed entity was loaded with the version that the client had read. What the entity's own attribute says does not
     * count, since anybody can set it.
     *
     * @throws StaleRowException with the current row, if it has another version
     * @throws MissingRowException if it has another version and the row is gone by now
     * @throws IllegalArgumentException as in {@link #ifVersion(Class, Object, Long)}, and if the entity is not managed
     */
    public void ifVersion(Object entity, @Nullable Long clientVersion) {
        long expected = required(clientVersion);
        SessionImplementor session = session();
        EntityEntry entry = session.getPersistenceContextInternal().getEntry(Hibernate.unproxy(entity));
        if (entry == null) {
            throw new IllegalArgumentException("not managed, so its version cannot be trusted: " + entity);
        }
        requireNumber(entry.getPersister());
        if (((Number) entry.getVersion()).longValue() != expected) {
            throw JpaConflicts.tell(
                    new EntityRows(session, entry.getPersister()).explain(entry.getId(), expected),
                    session,
                    entry.getPersister());
        }
    }

    /**
     * Raises the version of a managed entity although none of its own attributes changes, because what belongs to it does: a line of an
     * order, say. Sent at once, so the new version can be told to the client, and two who do this to one entity cannot both succeed.
     *
     * @throws StaleRowException if somebody has changed it since it was loaded
     * @throws MissingRowException if it is gone
     * @throws DirtyEntityException if it has changes of its own: those raise the version anyway
     */
    public void touch(Object entity) {
        SessionImplementor session = session();
        new PendingChanges(session).refuse(Hibernate.unproxy(entity));
        try {
            session.lock(entity, LockModeType.PESSIMISTIC_FORCE_INCREMENT);
        } catch (RuntimeException e) {
            EntityPersister persister = session.getEntityPersister(null, Hibernate.unproxy(entity));
            throw JpaConflicts.tell(translated(e, session), session, persister);
        }
    }

    /**
     * Flushes, and tells of a version that was not the expected one as below.
     *
     * @throws StaleRowException with the current row, if somebody has changed an entity since it was loaded
     * @throws MissingRowException if somebody has deleted it
     * @throws RowlockException for other errors of the database, see {@link #translate}
     */
    public void flush() {
        SessionImplementor session = session();
        try {
            session.flush();
        } catch (RuntimeException e) {
            throw translated(e, session);
        }
    }

    private static RuntimeException translated(RuntimeException e, SessionImplementor session) {
        RuntimeException known =
                find(e, session).map(found -> (RuntimeException) found).orElse(e);
        if (known != e) {
            known.addSuppressed(e);
        }
        return known;
    }

    /**
     * Says what an error at a flush or commit means, in terms of what the caller can do: a version that was not the expected one is a
     * {@link StaleRowException} or {@link MissingRowException}, and errors of the database are what
     * {@link RowlockException#translate} makes of them. Call it after the transaction has ended: it reads the row as it is now, with a
     * connection of its own.
     *
     * @return the error to throw instead; empty if it is none of these, or Hibernate does not tell which entity it is about (as in a batch)
     */
    public static Optional<RowlockException> translate(RuntimeException failure, EntityManagerFactory factory) {
        EntityManager em = factory.createEntityManager();
        try {
            return find(failure, em.unwrap(SessionImplementor.class));
        } finally {
            em.close();
        }
    }

    private static Optional<RowlockException> find(Throwable failure, SessionImplementor session) {
        long expected = UNKNOWN;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RowlockException known) {
                return Optional.of(known);
            }
            if (cause instanceof OptimisticLockException stale && stale.getEntity() != null) {
                expected = versionOf(stale.getEntity(), session);
            }
            if (cause instanceof StaleObjectStateException stale) {
                EntityPersister persister =
                        session.getFactory().getMappingMetamodel().getEntityDescriptor(stale.getEntityName());
                if (!isNumber(persister)) {
                    return Optional.empty();
                }
                long version =
                        expected == UNKNOWN ? loadedVersion(stale.getIdentifier(), persister, session) : expected;
                return Optional.of(new EntityRows(session, persister).explain(stale.getIdentifier(), version));
            }
            if (cause instanceof SQLException sql) {
                return Optional.of(RowlockException.translate("the flush", null, false, sql));
            }
        }
        return Optional.empty();
    }

    private static long loadedVersion(Object id, EntityPersister persister, SessionImplementor session) {
        Object managed = new FreshEntities(session, persister).managed(id);
        EntityEntry entry =
                managed == null ? null : session.getPersistenceContextInternal().getEntry(managed);
        return entry != null && entry.getVersion() instanceof Number version ? version.longValue() : UNKNOWN;
    }

    private static long versionOf(Object entity, SessionImplementor session) {
        if (!Hibernate.isInitialized(entity)) {
            return UNKNOWN;
        }
        Object plain = Hibernate.unproxy(entity);
        EntityPersister persister = session.getFactory().getMappingMetamodel().findEntityDescriptor(plain.getClass());
        return persister != null && isNumber(persister) && persister.getVersion(plain) instanceof Number version
                ? version.longValue()
                : UNKNOWN;
    }

    private static long required(@Nullable Long clientVersion) {
        if (clientVersion == null) {
            throw new IllegalArgumentException(
                    "the client has sent no version, so nobody knows what it has seen; ask for one");
        }
        return clientVersion;
    }

    private static boolean isNumber(EntityPersister persister) {
        return persister.isVersioned()
                && Number.class.isAssignableFrom(persister.getVersionType().getReturnedClass());
    }

    private static void requireNumber(EntityPersister persister) {
        if (!isNumber(persister)) {
            throw new IllegalArgumentException(
                    persister.getEntityName() + " has no @Version attribute that is a whole number");
        }
    }

    private SessionImplementor session() {
        return OpenSession.of(em);
    }
}
