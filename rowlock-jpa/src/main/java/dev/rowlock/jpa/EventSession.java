package dev.rowlock.jpa;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/** The session of an event of one entity's write. */
final class EventSession {
    private EventSession() {}

    /**
     * The method is there in all versions, but returns another type in each, so it cannot be linked to.
     *
     * @return null for a stateless session of some versions
     */
    static @Nullable SharedSessionContractImplementor of(Object event) {
        try {
            Method getSession = event.getClass().getMethod("getSession");
            return (SharedSessionContractImplementor) getSession.invoke(event);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("this version of Hibernate does not tell the session of an event", e);
        }
    }
}
