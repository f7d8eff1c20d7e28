package dev.rowlock.jpa;

import dev.rowlock.Rowlock;
import dev.rowlock.Tx;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Units of work of a {@link Rowlock} in which entities are worked on: its limits, its retries of the whole function and its answer to a
 * commit that was lost, with an entity manager on the connection of the transaction.
 *
 * <pre>{@code
 * JpaUnits units = JpaUnits.over(rowlock, entityManagerFactory);
 *
 * int left = units.call((tx, em) ->
 *         JpaLocks.over(em).withLock(Account.class, id, (m, account) -> account.withdraw(80)));
 * }</pre>
 *
 * <p>Each call has an entity manager of its own, flushed when the function returns and closed in any case. Inside an open unit of work a
 * call joins its transaction, but not its entity manager. Errors of the flush are those of Hibernate, with the database's in their chain of
 * causes, so that conflicts are retried. Where everything was sent by Hibernate, the transaction's id is asked for behind the flush, in one
 * round trip more: without it nobody could say what became of a commit whose answer is lost.
 */
public final class JpaUnits {
    /** What would end or change the transaction is the unit of work's to say. */
    private static final Set<String> LEFT_TO_THE_UNIT =
            Set.of("commit", "setAutoCommit", "setReadOnly", "setTransactionIsolation");

    private final Rowlock rowlock;
    private final EntityManagerFactory factory;

    /**
     * Work with entities in a unit of work.
     *
     * @param <T> what it returns
     * @param <X> what it throws besides unchecked exceptions
     */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object, X extends Exception> {
        /** Does it. Returning commits, throwing rolls back. */
        T apply(Tx tx, EntityManager em) throws X;
    }

    private JpaUnits(Rowlock rowlock, EntityManagerFactory factory) {
        this.rowlock = rowlock;
        this.factory = factory;
    }

    /** Over a Rowlock and an entity manager factory of the same database. */
    public static JpaUnits over(Rowlock rowlock, EntityManagerFactory factory) {
        return new JpaUnits(rowlock, factory);
    }

    /** Runs a unit of work; see {@link Rowlock#call} for what it throws. */
    public <T extends @Nullable Object, X extends Exception> T call(Work<T, X> work) throws X {
        return rowlock.<T, X>call(tx -> {
            try (Session session = factory.unwrap(SessionFactory.class)
                    .withOptions()
                    .connection(guarded(tx.connection()))
                    .openSession()) {
                session.beginTransaction();
                try {
                    T result = work.apply(tx, session);
                    session.getTransaction().commit(); // flushes; the connection leaves the commit to the unit of work
                    tx.identify();
                    return result;
                } catch (Throwable failure) {
                    end(session, failure);
                    throw failure;
                }
            }
        });
    }

    /** So that the session forgets its transaction; the database's is rolled back by the unit of work. */
    private static void end(Session session, Throwable failure) {
        try {
            if (session.getTransaction().isActive()) {
                session.getTransaction().rollback();
            }
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private static Connection guarded(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                JpaUnits.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    boolean ends = method.getName().equals("rollback") && arguments == null;
                    if (ends || LEFT_TO_THE_UNIT.contains(method.getName())) {
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }
}
