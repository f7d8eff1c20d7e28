package dev.rowlock.jpa;

import jakarta.persistence.EntityManager;
import org.jspecify.annotations.Nullable;

/**
 * Work on what was locked for it.
 *
 * @param <L> what was locked: an entity, or a collection of them
 * @param <T> what it returns
 * @param <X> what it throws besides unchecked exceptions
 */
@FunctionalInterface
public interface JpaFunction<L, T extends @Nullable Object, X extends Exception> {
    /** Does the work. Nobody else changes the rows before the transaction has ended, which is not when this returns. */
    T apply(EntityManager em, L locked) throws X;
}
