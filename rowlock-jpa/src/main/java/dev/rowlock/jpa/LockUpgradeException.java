package dev.rowlock.jpa;

/**
 * An entity whose row this transaction holds under a shared lock was to be written or locked more strongly. Two transactions that do
 * this to one row wait for each other, which is a deadlock. A flush and a lock by ids are refused before anything is sent, a query
 * once it has told which rows it finds. Fix the program: take the stronger lock first, or let
 * deadlocks happen and be retried with {@link JpaLocks#allowingUpgrades()}. HTTP: 500.
 */
public final class LockUpgradeException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    LockUpgradeException(String message) {
        super(message);
    }
}
