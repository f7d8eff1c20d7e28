package dev.rowlock.jpa;

import dev.rowlock.LockTimeoutException;
import dev.rowlock.MissingRowException;
import dev.rowlock.RowlockException;
import dev.rowlock.RowlockListener;
import dev.rowlock.RowlockListener.Conflict;
import dev.rowlock.RowlockListener.ConflictKind;
import dev.rowlock.SqlStates;
import dev.rowlock.StaleRowException;
import dev.rowlock.Table;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hibernate.JDBCException;
import org.hibernate.StaleObjectStateException;
import org.hibernate.StaleStateException;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the listener of a session factory of writers that collided over entities. Each is told where it is met: at the flush that finds it, or by
 * what Rowlock sends itself; never where an error is only translated.
 */
final class JpaConflicts {
    private static final Logger LOG = LoggerFactory.getLogger(JpaConflicts.class);

    /** What Hibernate's writes begin with; the name may be quoted and have a schema. */
    private static final Pattern WRITE = Pattern.compile("(?:update|delete from|insert into) (\\S+).*", Pattern.DOTALL);

    /** Of a batch, where the oldest versions do not say which entity it was. */
    private static final Table UNKNOWN = Table.of("unknown", "id");

    /** Root causes of what was told: a flush inside of a lock is seen by both. Forgotten with the error; errors are equal to themselves only. */
    private static final Set<Throwable> TOLD =
            Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

    private final SessionFactoryImplementor factory;
    private final RowlockListener listener;

    private JpaConflicts(SessionFactoryImplementor factory, RowlockListener listener) {
        this.factory = factory;
        this.listener = listener;
    }

    /** Null if nobody listens. */
    static @Nullable JpaConflicts of(SessionFactoryImplementor factory) {
        Object given = factory.getServiceRegistry()
                .requireService(ConfigurationService.class)
                .getSettings()
                .get(RowlockIntegrator.LISTENER);
        return given instanceof RowlockListener listener ? new JpaConflicts(factory, listener) : null;
    }

    /** What Rowlock is about to throw of an entity. */
    static <X extends RuntimeException> X tell(
            X failure, SharedSessionContractImplementor session, EntityPersister entity) {
        JpaConflicts conflicts = of(session.getFactory());
        ConflictKind kind = failure instanceof RowlockException ? kind(failure) : null;
        if (conflicts != null && kind != null && isNew(failure)) {
            conflicts.tell(EntityTables.of(entity).table(), kind);
        }
        return failure;
    }

    private static @Nullable ConflictKind kind(RuntimeException failure) {
        if (failure instanceof StaleRowException) {
            return ConflictKind.STALE;
        }
        if (failure instanceof MissingRowException) {
            return ConflictKind.MISSING;
        }
        if (failure instanceof LockTimeoutException timeout) {
            return timeout.noWait() ? ConflictKind.LOCK_NOT_AVAILABLE : ConflictKind.LOCK_TIMEOUT;
        }
        return null;
    }

    /** What a flush of Hibernate's has failed with. */
    void ofFlush(RuntimeException failure) {
        if (!isNew(failure)) {
            return;
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof StaleObjectStateException stale) {
                EntityPersister entity = factory.getMappingMetamodel().getEntityDescriptor(stale.getEntityName());
                tell(EntityTables.of(entity).table(), ConflictKind.STALE);
                return;
            }
            if (cause instanceof StaleStateException) {
                tell(UNKNOWN, ConflictKind.STALE);
                return;
            }
            if (cause instanceof JDBCException error && SqlStates.isLockNotAvailable(error)) {
                tell(table(error.getSQL()), ConflictKind.LOCK_TIMEOUT);
                return;
            }
        }
    }

    private static boolean isNew(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return TOLD.add(root);
    }

    private static Table table(@Nullable String sql) {
        Matcher write = WRITE.matcher(sql == null ? "" : sql);
        if (!write.matches()) {
            return UNKNOWN;
        }
        String name = write.group(1);
        return Table.of(name.substring(name.lastIndexOf('.') + 1).replace("\"", ""), "id");
    }

    private void tell(Table table, ConflictKind kind) {
        try {
            listener.onConflict(new Conflict(table, kind));
        } catch (RuntimeException e) {
            LOG.error(
                    "the listener {} failed of a {} conflict; the transaction goes on",
                    listener.getClass().getName(),
                    kind.name().toLowerCase(Locale.ROOT),
                    e);
        }
    }
}
