package dev.rowlock.jpa;

import dev.rowlock.Lock;
import dev.rowlock.MissingRowException;
import dev.rowlock.TooManyRowsException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.TransactionRequiredException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.hibernate.engine.spi.SessionImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Locks the rows of entities in the transaction that an {@link EntityManager} has open, and hands them out as they are under the
 * lock. For Hibernate 6.6 and 7 on PostgreSQL.
 *
 * <pre>{@code
 * JpaLocks locks = JpaLocks.over(em);
 *
 * locks.withLock(Account.class, id, (em, account) -> account.withdraw(80));
 * locks.withLocks(Account.class, List.of(from, to), (em, accounts) -> move(accounts.get(from), accounts.get(to)));
 * }</pre>
 *
 * <p>The entity manager can be Spring's shared one, which stands for that of the transaction that is open, or one of your own. A
 * JpaLocks over the former can be shared and kept; over the latter it is used like it, by one thread at a time.
 *
 * <p><b>The lock</b> is {@link Lock#forNoKeyUpdate()} where none is given. It is taken by a statement of Rowlock's own on all rows that
 * make up the entity: in the root's table, in those of joined subclasses and in secondary tables. Rows of collections and of other
 * entities are not locked. It is held until the transaction ends, whatever the function does.
 *
 * <p><b>The entity</b> is read after that, from the database, also where it was managed already. If it had changes that are not in the
 * database that is a {@link DirtyEntityException}: they were decided without the lock. Changes that were made under an exclusive lock
 * of this transaction are kept.
 *
 * <p><b>Limits:</b> a wait for a lock ends after 2 s, or earlier if the session has a shorter {@code lock_timeout}; see
 * {@link #withLockTimeout} and {@link Lock#waitAtMost}. The setting is put back afterwards. A request locks up to 100 rows; see
 * {@link #withMaxRows} and {@link Lock#limit}.
 *
 * <p>What all methods that lock throw:
 *
 * <ul>
 *   <li>{@link TransactionRequiredException} if no transaction is open; nothing is sent then
 *   <li>{@link dev.rowlock.LockTimeoutException} if another transaction holds a row for longer than the limit, or at all with
 *       {@link Lock#noWait()}
 *   <li>{@link dev.rowlock.TransactionConflictException} if the database gives the transaction up in favour of another: in a deadlock, or
 *       because a row has changed since the snapshot of a transaction at REPEATABLE READ or SERIALIZABLE was taken. Begin anew
 *   <li>{@link LockUpgradeException} if this transaction holds a shared lock on the row already
 *   <li>{@link DirtyEntityException}, and {@link IllegalStateException} for an entity that was removed or persisted and not flushed
 * </ul>
 */
public final class JpaLocks {
    private static final Duration STANDARD_WAIT = Duration.ofSeconds(2);
    private static final int STANDARD_ROWS = 100;
    /** More parameters than 65,535 do not fit into a statement. */
    private static final int MOST_ROWS = 10_000;

    private final EntityManager em;
    private final @Nullable Duration lockTimeout;
    private final int maxRows;
    private final boolean upgrades;

    private JpaLocks(EntityManager em, @Nullable Duration lockTimeout, int maxRows, boolean upgrades) {
        this.em = Objects.requireNonNull(em, "em");
        this.lockTimeout = lockTimeout;
        this.maxRows = maxRows;
        this.upgrades = upgrades;
    }

    /** Over this entity manager, or the one that it stands for when a method is called. */
    public static JpaLocks over(EntityManager em) {
        return new JpaLocks(em, STANDARD_WAIT, STANDARD_ROWS, false);
    }

    /**
     * The same, with this limit on the wait for each row.
     *
     * @param limit from 1 ms to 24 h, whole milliseconds
     */
    public JpaLocks withLockTimeout(Duration limit) {
        Lock.forUpdate().waitAtMost(limit); // checks it
        return new JpaLocks(em, limit, maxRows, upgrades);
    }

    /**
     * The same, but waits as long as the {@code lock_timeout} of the session says, which is for ever if nobody has set it. For sessions
     * whose pool sets one, and for races of the prover, which cannot look into a text of several statements.
     * {@link Lock#waitAtMost} counts all the same.
     */
    public JpaLocks withLockTimeoutOfTheSession() {
        return new JpaLocks(em, null, maxRows, upgrades);
    }

    /**
     * The same, with this many rows at most in one request.
     *
     * @param rows from 1 to 10,000
     */
    public JpaLocks withMaxRows(int rows) {
        if (rows < 1 || rows > MOST_ROWS) {
            throw new IllegalArgumentException("maxRows is " + rows + "; it must be from 1 to " + MOST_ROWS);
        }
        return new JpaLocks(em, lockTimeout, rows, upgrades);
    }

    /**
     * The same, but what it locks FOR SHARE may be written and locked more strongly in the same transaction. Two transactions that do
     * so with one row end in a deadlock, which the server breaks by giving up one of them (40P01).
     */
    public JpaLocks allowingUpgrades() {
        return new JpaLocks(em, lockTimeout, maxRows, true);
    }

    /**
     * Locks the rows of one entity and hands it out.
     *
     * @throws MissingRowException if there is no such entity, naming table and key
     */
    public <E, T extends @Nullable Object, X extends Exception> T withLock(
            Class<E> type, Object id, JpaFunction<E, T, X> work) throws X {
        return work.apply(em, lock(type, id));
    }

    /** As {@link #withLock(Class, Object, JpaFunction)}, with the lock given. */
    public <E, T extends @Nullable Object, X extends Exception> T withLock(
            Class<E> type, Object id, Lock lock, JpaFunction<E, T, X> work) throws X {
        return work.apply(em, lock(type, id, lock));
    }

    /** As {@link #withLock(Class, Object, JpaFunction)}, for code that goes on by itself. */
    public <E> E lock(Class<E> type, Object id) {
        return lock(type, id, Lock.forNoKeyUpdate());
    }

    /**
     * As {@link #lock(Class, Object)}, with the lock given.
     *
     * @throws IllegalArgumentException if the lock is one that skips: whether one row is there or taken could not be told apart
     */
    public <E> E lock(Class<E> type, Object id, Lock lock) {
        if (lock.skips()) {
            throw new IllegalArgumentException(
                    "skipLocked does not fit one entity, which is missing or taken; use noWait, or lockAll");
        }
        return Objects.requireNonNull(lockAll(type, List.of(id), lock).get(id));
    }

    /**
     * Locks the rows of any number of entities, in one statement and in the order of their keys, so that two calls for the same ones in
     * opposite order cannot deadlock. The map has them by id, in the order of the ids given.
     *
     * @throws MissingRowException if one of them is not there, naming it; nothing is run then
     * @throws TooManyRowsException if there are more distinct ids than the limit allows; nothing is sent then
     */
    public <E, T extends @Nullable Object, X extends Exception> T withLocks(
            Class<E> type, Collection<?> ids, JpaFunction<Map<Object, E>, T, X> work) throws X {
        return work.apply(em, lockAll(type, ids, Lock.forNoKeyUpdate()));
    }

    /** As {@link #withLocks(Class, Collection, JpaFunction)}, with the lock given. */
    public <E, T extends @Nullable Object, X extends Exception> T withLocks(
            Class<E> type, Collection<?> ids, Lock lock, JpaFunction<Map<Object, E>, T, X> work) throws X {
        return work.apply(em, lockAll(type, ids, lock));
    }

    /**
     * As {@link #withLocks(Class, Collection, Lock, JpaFunction)}, for code that goes on by itself. With {@link Lock#skipLocked()} those
     * that are taken or missing are left out.
     */
    public <E> Map<Object, E> lockAll(Class<E> type, Collection<?> ids, Lock lock) {
        if (lock.takesFirst()) {
            throw new IllegalArgumentException("lockAll locks all the given ids; first does not fit, use limit");
        }
        Set<Object> wanted = new LinkedHashSet<>(ids);
        int most = lock.rows().orElse(maxRows);
        if (wanted.size() > most || wanted.size() > MOST_ROWS) {
            throw new TooManyRowsException("lock of " + wanted.size() + " entities " + type.getSimpleName()
                    + " was asked for, the limit is " + Math.min(most, MOST_ROWS) + " (raise it with Lock.limit)");
        }
        SessionImplementor session = session();
        EntityPersister entity = entity(session, type);
        if (wanted.isEmpty()) {
            return Map.of();
        }
        EntityTables tables = EntityTables.of(entity);
        FreshEntities entities = new FreshEntities(session, entity);
        PendingChanges changes = new PendingChanges(session);
        for (Object id : wanted) {
            Object managed = entities.managed(id);
            if (managed != null && !changes.areUnderLock(managed)) {
                changes.refuse(managed);
            }
        }
        refuseUpgrades(session, entity, wanted, lock);
        List<Object> locked = new LockStatements(session, tables, lock).lock(wanted, WaitLimit.of(lock, lockTimeout));
        remember(session, entity, locked, lock);
        Map<Object, E> found = entities.read(type, locked);
        Map<Object, E> ordered = new LinkedHashMap<>();
        for (Object id : wanted) {
            E one = found.get(id);
            if (one != null) {
                ordered.put(id, one);
            } else if (!lock.skips()) {
                throw JpaConflicts.tell(
                        new MissingRowException(tables.table(), tables.key(id, session)), session, entity);
            }
        }
        return ordered;
    }

    /**
     * Locks what a JPQL query finds, in one statement: conditions that no longer hold once a row is locked leave it out. The list is in the
     * order of the query's ORDER BY, or in that of the keys if it has none. With {@link Lock#first} and {@link Lock#skipLocked()} this is how
     * workers share work.
     *
     * @param jpql of the form {@code SELECT x FROM Entity x WHERE …}, with subqueries rather than joins. An ORDER BY of its own is
     *     also the order in which rows are locked, so two queries with different ones can deadlock
     * @param parameters by name
     * @throws LockNotTakenException if the SQL that Hibernate makes of the query does not lock the rows, or PostgreSQL cannot; or if it
     *     could not be seen
     * @throws TooManyRowsException if more rows match than the limit allows; the transaction can only roll back then
     * @throws IllegalArgumentException if the rows of the entity are in several tables, as with TABLE_PER_CLASS
     */
    public <E, T extends @Nullable Object, X extends Exception> T withLocksWhere(
            Class<E> type, String jpql, Map<String, ?> parameters, Lock lock, JpaFunction<List<E>, T, X> work)
            throws X {
        return work.apply(em, lockWhere(type, jpql, parameters, lock));
    }

    /** As {@link #withLocksWhere}, for code that goes on by itself. */
    public <E> List<E> lockWhere(Class<E> type, String jpql, Map<String, ?> parameters, Lock lock) {
        SessionImplementor session = session();
        EntityPersister entity = entity(session, type);
        EntityTables tables = EntityTables.of(entity);
        new PendingChanges(session).refuseAll(entity);
        LockStatements statements = new LockStatements(session, tables, lock);
        WaitLimit wait = WaitLimit.of(lock, lockTimeout);
        statements.begin(wait);
        Set<Object> ids =
                new LockingQuery<>(session, type, tables, lock, lock.rows().orElse(maxRows)).run(jpql, parameters);
        statements.end(wait);
        if (ids.isEmpty()) {
            return List.of();
        }
        refuseUpgrades(session, entity, ids, lock);
        remember(session, entity, ids, lock);
        statements.lockOthers(ids, wait);
        Map<Object, E> found = new FreshEntities(session, entity).read(type, ids);
        return ids.stream().filter(found::containsKey).map(found::get).toList();
    }

    private SessionImplementor session() {
        return OpenSession.of(em);
    }

    private static EntityPersister entity(SessionImplementor session, Class<?> type) {
        return session.getFactory().getMappingMetamodel().getEntityDescriptor(type);
    }

    private void refuseUpgrades(SessionImplementor session, EntityPersister entity, Collection<?> ids, Lock lock) {
        HeldLocks held = HeldLocks.ifAny(session);
        if (held != null) {
            ids.forEach(id ->
                    held.refuseUpgrade(session.generateEntityKey(id, entity), HeldLocks.strength(lock), "the lock"));
        }
    }

    private void remember(SessionImplementor session, EntityPersister entity, Collection<?> ids, Lock lock) {
        if (!upgrades || HeldLocks.strength(lock).isExclusive()) {
            HeldLocks held = HeldLocks.of(session);
            ids.forEach(id -> held.add(session.generateEntityKey(id, entity), HeldLocks.strength(lock)));
        }
    }
}
