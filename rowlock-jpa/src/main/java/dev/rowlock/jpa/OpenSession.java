package dev.rowlock.jpa;

import jakarta.persistence.EntityManager;
import jakarta.persistence.TransactionRequiredException;
import org.hibernate.engine.spi.SessionImplementor;

/** Finds the session behind an entity manager, and that it has a transaction open. */
final class OpenSession {
    private static final String REQUIRED =
            "a row lock ends with its transaction and a version is compared in one, and none is"
                    + " open; begin one first (@Transactional, or em.getTransaction().begin())";

    private OpenSession() {}

    static SessionImplementor of(EntityManager em) {
        SessionImplementor session = session(em);
        if (!session.isTransactionInProgress()) {
            throw new TransactionRequiredException(REQUIRED);
        }
        return session;
    }

    private static SessionImplementor session(EntityManager em) {
        try {
            return em.unwrap(SessionImplementor.class);
        } catch (IllegalStateException e) {
            // Spring's shared entity manager has none behind it as long as there is no transaction.
            TransactionRequiredException error = new TransactionRequiredException(REQUIRED);
            error.initCause(e);
            throw error;
        }
    }
}
