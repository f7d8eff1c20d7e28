package dev.rowlock.watch;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import net.ttddyy.dsproxy.ConnectionInfo;
import net.ttddyy.dsproxy.proxy.ProxyConfig;
import net.ttddyy.dsproxy.proxy.ProxyJdbcObject;
import net.ttddyy.dsproxy.proxy.ResultSetProxyLogicFactory;
import net.ttddyy.dsproxy.proxy.jdk.ConnectionInvocationHandler;
import net.ttddyy.dsproxy.proxy.jdk.JdkJdbcProxyFactory;
import net.ttddyy.dsproxy.proxy.jdk.ResultSetInvocationHandler;

/** Makes the proxies of datasource-proxy, whose statements can send a batch statement by statement besides. */
final class ProxyFactory extends JdkJdbcProxyFactory {
    private final Interceptor interceptor;

    ProxyFactory(Interceptor interceptor) {
        this.interceptor = interceptor;
    }

    /** The connection is where it is known how a statement was prepared, with which generated keys for instance. */
    @Override
    public Connection createConnection(Connection connection, ConnectionInfo info, ProxyConfig config) {
        InvocationHandler proxied = new ConnectionInvocationHandler(connection, info, config);
        BatchStatement.Origin origin =
                new BatchStatement.Origin(interceptor, Long.parseLong(info.getConnectionId()), connection);
        return proxy(Connection.class, (proxy, method, arguments) -> {
            Object made = proxied.invoke(proxy, method, arguments);
            if (!(made instanceof Statement statement)
                    || !(method.getName().startsWith("prepare")
                            || method.getName().equals("createStatement"))) {
                return made;
            }
            BatchStatement.Twin twin = () -> (Statement) proxied.invoke(proxy, method, arguments);
            InvocationHandler batching = new BatchStatement(statement, twin, origin, (Connection) proxy, arguments);
            return made instanceof CallableStatement
                    ? proxy(CallableStatement.class, batching)
                    : made instanceof PreparedStatement
                            ? proxy(PreparedStatement.class, batching)
                            : proxy(Statement.class, batching);
        });
    }

    @Override
    public ResultSet createResultSet(ResultSet result, ConnectionInfo info, ProxyConfig config) {
        return result(result, info, config, config.getResultSetProxyLogicFactory());
    }

    @Override
    public ResultSet createGeneratedKeys(ResultSet result, ConnectionInfo info, ProxyConfig config) {
        return result(result, info, config, config.getGeneratedKeysProxyLogicFactory());
    }

    private static ResultSet result(
            ResultSet result, ConnectionInfo info, ProxyConfig config, ResultSetProxyLogicFactory logic) {
        return proxy(
                ResultSet.class,
                new ResultHandler(new ResultSetInvocationHandler(logic, result, info, config), result));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(
                ProxyJdbcObject.class.getClassLoader(), new Class<?>[] {ProxyJdbcObject.class, type}, handler));
    }
}
