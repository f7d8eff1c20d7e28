package dev.rowlock.jpa;

import dev.rowlock.Lock;
import dev.rowlock.watch.LockClause.Strength;
import java.util.HashMap;
import java.util.Map;
import org.hibernate.engine.spi.EntityKey;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * What each session has locked through Rowlock in the transaction that is open. Known until its end, so that a shared lock is not
 * turned into a stronger one: two who do that to the same row wait for each other.
 */
final class HeldLocks {
    private static final OfTransaction<HeldLocks> OPEN = new OfTransaction<>();

    private final Map<EntityKey, Strength> held = new HashMap<>();

    private HeldLocks() {}

    static @Nullable HeldLocks ifAny(@Nullable SharedSessionContractImplementor session) {
        return OPEN.ifAny(session);
    }

    static HeldLocks of(SharedSessionContractImplementor session) {
        return OPEN.of(session, HeldLocks::new, held -> {});
    }

    static Strength strength(Lock lock) {
        return Strength.valueOf("FOR_" + lock.strength().name());
    }

    void add(EntityKey key, Strength strength) {
        held.merge(key, strength, (before, now) -> before.compareTo(now) <= 0 ? before : now);
    }

    /** Whether nobody else can have changed the entity since this transaction has locked it. */
    boolean isExclusive(EntityKey key) {
        Strength strength = held.get(key);
        return strength != null && strength.isExclusive();
    }

    /** @throws LockUpgradeException if another transaction that holds the same lock would be in the way of this one */
    void refuseUpgrade(EntityKey key, Strength wanted, String what) {
        Strength before = held.get(key);
        if (before != null && !before.isExclusive() && wanted.conflictsWith(before)) {
            throw new LockUpgradeException(what + " of " + key.getEntityName() + " " + key.getIdentifier()
                    + " needs " + sql(wanted) + ", and this transaction holds " + sql(before)
                    + ", as others may: each would wait for the other to let go; lock it " + sql(wanted)
                    + " in the first place");
        }
    }

    private static String sql(Strength strength) {
        return strength.name().replace('_', ' ');
    }
}
