package dev.rowlock.jpa;

import org.hibernate.resource.jdbc.spi.StatementInspector;
import org.jspecify.annotations.Nullable;

/** Sees every statement of a session factory before it is prepared; only looks at those of a query that is to lock rows. */
final class LockInspector implements StatementInspector {
    private static final long serialVersionUID = 1L;

    private final @Nullable StatementInspector inner;

    private LockInspector(@Nullable StatementInspector inner) {
        this.inner = inner;
    }

    /** @param given what the setting can hold: an inspector, its class, or the name of that; or null */
    static LockInspector around(@Nullable Object given) {
        if (given == null || given instanceof StatementInspector) {
            return new LockInspector((StatementInspector) given);
        }
        try {
            Class<?> type = given instanceof Class<?> known ? known : load(given.toString());
            return new LockInspector(type.asSubclass(StatementInspector.class)
                    .getDeclaredConstructor()
                    .newInstance());
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new IllegalArgumentException(
                    "hibernate.session_factory.statement_inspector names no statement inspector that can be made: "
                            + given,
                    e);
        }
    }

    private static Class<?> load(String name) throws ClassNotFoundException {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return Class.forName(name, true, context == null ? LockInspector.class.getClassLoader() : context);
    }

    @Override
    public String inspect(String sql) {
        LockExpectation expectation = LockExpectation.current();
        return expectation == null ? passOn(sql) : expectation.check(sql, this::passOn);
    }

    /** An inspector may answer null, which leaves the SQL as it is. */
    private String passOn(String sql) {
        if (inner == null) {
            return sql;
        }
        String changed = inner.inspect(sql);
        return changed == null ? sql : changed;
    }
}
