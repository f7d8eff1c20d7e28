package dev.rowlock.watch;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A result set that leads back to the statement that the program knows, where datasource-proxy's leads to the driver's. */
final class ResultHandler implements InvocationHandler {
    private final InvocationHandler proxied;
    private final ResultSet behind;
    private volatile @Nullable Statement statement;

    ResultHandler(InvocationHandler proxied, ResultSet behind) {
        this.proxied = proxied;
        this.behind = behind;
    }

    /** Says whose result it is, if it is one of these. */
    static @Nullable Object belongsTo(@Nullable Object result, Object statement) {
        if (result instanceof ResultSet
                && Proxy.isProxyClass(result.getClass())
                && Proxy.getInvocationHandler(result) instanceof ResultHandler handler) {
            handler.statement = (Statement) statement;
        }
        return result;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        Statement known = statement;
        if (known != null && method.getName().equals("getStatement")) {
            // For its error if it is closed.
            behind.getStatement();
            return known;
        }
        return proxied.invoke(proxy, method, arguments);
    }
}
