package dev.rowlock.jpa;

import jakarta.transaction.Synchronization;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * What is known of each session's open transaction, until that ends.
 *
 * @param <T> must not hold on to the session
 */
final class OfTransaction<T> {
    /** Forgotten with the session, should its transaction never end. A session is used by one thread at a time, the map by all. */
    private final Map<SharedSessionContractImplementor, T> open = Collections.synchronizedMap(new WeakHashMap<>());

    @Nullable
    T ifAny(@Nullable SharedSessionContractImplementor session) {
        return open.get(session);
    }

    /** What is known, or something new of which the session's transaction is told before it commits. */
    T of(SharedSessionContractImplementor session, Supplier<T> fresh, Consumer<T> beforeCommit) {
        T known = open.get(session);
        if (known != null) {
            return known;
        }
        T first = fresh.get();
        open.put(session, first);
        session.accessTransaction().registerSynchronization(new Synchronization() {
            @Override
            public void beforeCompletion() {
                beforeCommit.accept(first);
            }

            @Override
            public void afterCompletion(int status) {
                open.remove(session);
            }
        });
        return first;
    }
}
