package dev.rowlock;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Statement;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connection as the caller's function sees it: everything works but what would end the transaction, and with it the row
 * locks, behind Rowlock's back.
 */
final class ConnectionGuard implements InvocationHandler {
    private static final Set<String> REFUSED = Set.of(
            "commit",
            "setAutoCommit",
            "setTransactionIsolation",
            "setReadOnly",
            "abort",
            "setNetworkTimeout",
            "beginRequest",
            "endRequest");

    private final Tx tx;
    private final TxScope scope;

    private ConnectionGuard(Tx tx, TxScope scope) {
        this.tx = tx;
        this.scope = scope;
    }

    static Connection of(Tx tx, TxScope scope) {
        return (Connection) Proxy.newProxyInstance(
                ConnectionGuard.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new ConnectionGuard(tx, scope));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable {
        return switch (method.getName()) {
            case "equals" -> proxy == Objects.requireNonNull(args)[0];
            case "hashCode" -> System.identityHashCode(proxy);
            case "toString" -> "connection of a Rowlock transaction";
            case "close" -> null; // frameworks close what they were given; the transaction goes on
            case "isClosed" -> !tx.isUsable();
            default -> pass(proxy, method, args);
        };
    }

    private @Nullable Object pass(Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable {
        tx.check();
        boolean ends = method.getName().equals("rollback") && args == null;
        if (ends || REFUSED.contains(method.getName())) {
            throw new IllegalStateException("Connection." + method.getName()
                    + " would end or change the transaction behind Rowlock's back:"
                    + " return from the function to commit, throw to roll back");
        }
        Object result = call(scope.connection(), method, args);
        if (result instanceof Statement || result instanceof DatabaseMetaData) {
            return StatementGuard.of(result, tx, (Connection) proxy);
        }
        return result;
    }

    static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
