package dev.rowlock;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link ConnectionGuard} hands out: it leads back to the guard, and a thread that waits in it for a row lock can be
 * interrupted.
 */
final class StatementGuard implements InvocationHandler {
    private final Object target;
    private final Tx tx;
    private final Connection connection;

    private StatementGuard(Object target, Tx tx, Connection connection) {
        this.target = target;
        this.tx = tx;
        this.connection = connection;
    }

    static Object of(Object target, Tx tx, Connection connection) {
        Class<?> type = target instanceof CallableStatement
                ? CallableStatement.class
                : target instanceof PreparedStatement
                        ? PreparedStatement.class
                        : target instanceof Statement ? Statement.class : DatabaseMetaData.class;
        return Proxy.newProxyInstance(
                StatementGuard.class.getClassLoader(),
                new Class<?>[] {type},
                new StatementGuard(target, tx, connection));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable {
        switch (method.getName()) {
            case "getConnection" -> {
                return connection;
            }
            case "equals" -> {
                return args != null && proxy == args[0];
            }
            default -> {}
        }
        if (target instanceof Statement statement && method.getName().startsWith("execute")) {
            tx.check();
            try (InterruptWatch watch = InterruptWatch.over(statement)) {
                return ConnectionGuard.call(target, method, args);
            }
        }
        return ConnectionGuard.call(target, method, args);
    }
}
