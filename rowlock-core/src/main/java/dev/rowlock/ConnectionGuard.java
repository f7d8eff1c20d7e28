package dev.rowlock;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Savepoint;
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
            default -> pass(method, args);
        };
    }

    private @Nullable Object pass(Method method, @Nullable Object @Nullable [] args) throws Throwable {
        tx.check();
        boolean rollback = method.getName().equals("rollback");
        if (REFUSED.contains(method.getName()) || (rollback && args == null)) {
            throw new IllegalStateException("Connection." + method.getName()
                    + " would end or change the transaction behind Rowlock's back:"
                    + " return from the function to commit, throw to roll back");
        }
        try {
            Object result = method.invoke(scope.connection(), args);
            if (rollback && args != null && args[0] instanceof Savepoint) {
                scope.rolledBackToSavepoint();
            }
            return result;
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
