package dev.rowlock.watch;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.function.Function;
import net.ttddyy.dsproxy.ConnectionInfo;
import net.ttddyy.dsproxy.proxy.ProxyConfig;
import net.ttddyy.dsproxy.proxy.ProxyJdbcObject;
import net.ttddyy.dsproxy.proxy.jdk.CallableStatementInvocationHandler;
import net.ttddyy.dsproxy.proxy.jdk.ConnectionInvocationHandler;
import net.ttddyy.dsproxy.proxy.jdk.JdkJdbcProxyFactory;
import net.ttddyy.dsproxy.proxy.jdk.PreparedStatementInvocationHandler;
import net.ttddyy.dsproxy.proxy.jdk.StatementInvocationHandler;
import org.jspecify.annotations.Nullable;

/**
 * Makes the proxies of datasource-proxy, but for those of results; its statements can send a batch statement by statement besides. What
 * nobody watches goes to the driver directly.
 */
final class ProxyFactory extends JdkJdbcProxyFactory {
    private static final Function<InvocationHandler, Connection> CONNECTIONS = of(Connection.class);
    private static final Function<InvocationHandler, Statement> STATEMENTS = of(Statement.class);
    private static final Function<InvocationHandler, PreparedStatement> PREPARED = of(PreparedStatement.class);
    private static final Function<InvocationHandler, CallableStatement> CALLABLE = of(CallableStatement.class);
    private static final Function<InvocationHandler, ResultSet> RESULTS = of(ResultSet.class);

    private final CallListener listener;

    ProxyFactory(CallListener listener) {
        this.listener = listener;
    }

    /** The connection is where it is known how a statement was prepared, with which generated keys for instance. */
    @Override
    public Connection createConnection(Connection connection, ConnectionInfo info, ProxyConfig config) {
        InvocationHandler proxied = new ConnectionInvocationHandler(connection, info, config);
        return CONNECTIONS.apply((proxy, method, arguments) -> {
            if (Unwatched.ofConnection(method)) {
                return Unwatched.call(connection, method, arguments);
            }
            Object made = proxied.invoke(proxy, method, arguments);
            BatchStatement statement = BatchStatement.of(made);
            if (statement != null) {
                statement.madeBy(() -> (Statement) proxied.invoke(proxy, method, arguments), arguments);
            }
            return made;
        });
    }

    @Override
    public Statement createStatement(
            Statement statement, ConnectionInfo info, Connection connection, ProxyConfig config) {
        return STATEMENTS.apply(new BatchStatement(
                statement,
                new StatementInvocationHandler(statement, info, connection, config),
                listener,
                origin(info, connection)));
    }

    @Override
    public PreparedStatement createPreparedStatement(
            PreparedStatement statement,
            String query,
            ConnectionInfo info,
            Connection connection,
            ProxyConfig config,
            boolean generateKey) {
        return PREPARED.apply(new BatchStatement(
                statement,
                new PreparedStatementInvocationHandler(statement, query, info, connection, config, generateKey),
                listener,
                origin(info, connection)));
    }

    @Override
    public CallableStatement createCallableStatement(
            CallableStatement statement, String query, ConnectionInfo info, Connection connection, ProxyConfig config) {
        return CALLABLE.apply(new BatchStatement(
                statement,
                new CallableStatementInvocationHandler(statement, query, info, connection, config),
                listener,
                origin(info, connection)));
    }

    private static BatchStatement.Origin origin(ConnectionInfo info, Connection connection) {
        return new BatchStatement.Origin(Long.parseLong(info.getConnectionId()), connection);
    }

    /** The same statement again, without what is added to it here. */
    static Statement plain(InvocationHandler statement, boolean isPrepared) {
        return isPrepared ? PREPARED.apply(statement) : STATEMENTS.apply(statement);
    }

    static ResultSet result(ResultHandler handler) {
        return RESULTS.apply(handler);
    }

    /** Looks the class of proxies up once, and not for each. */
    private static <T> Function<InvocationHandler, T> of(Class<T> type) {
        InvocationHandler none = (proxy, method, arguments) -> null;
        Class<?> proxies = Proxy.newProxyInstance(
                        ProxyJdbcObject.class.getClassLoader(), new Class<?>[] {ProxyJdbcObject.class, type}, none)
                .getClass();
        try {
            Constructor<?> constructor = proxies.getConstructor(InvocationHandler.class);
            return handler -> {
                try {
                    return type.cast(constructor.newInstance(handler));
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException("a proxy of " + type.getName() + " could not be made", e);
                }
            };
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("every proxy has such a constructor", e);
        }
    }

    /** What is behind a proxy that was made here, or null. */
    static @Nullable InvocationHandler handler(@Nullable Object proxy) {
        return proxy instanceof ProxyJdbcObject && Proxy.isProxyClass(proxy.getClass())
                ? Proxy.getInvocationHandler(proxy)
                : null;
    }
}
