package dev.rowlock.watch;

import dev.rowlock.watch.Call.Kind;
import dev.rowlock.watch.Interceptor.Sending;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.ttddyy.dsproxy.proxy.GeneratedKeysUtils;
import net.ttddyy.dsproxy.proxy.ParameterSetOperation;
import net.ttddyy.dsproxy.proxy.ProxyJdbcObject;
import org.jspecify.annotations.Nullable;

/**
 * A statement that remembers what is added to its batch, so that each of it can be sent as a batch of one. The driver keeps the
 * values of parameters from one addition to the next, and so does this.
 */
final class BatchStatement implements InvocationHandler {
    private final Statement proxied;
    private final InvocationHandler handler;
    private final Twin twin;
    private final Origin origin;
    private final Connection connection;
    private final String sql;
    private final boolean makesKeys;
    private final Map<Object, ParameterSetOperation> current = new LinkedHashMap<>();
    private final List<BoundSql> added = new ArrayList<>();
    /** What the last batch was sent with, as long as its generated keys may be asked for. */
    private List<Statement> twins = List.of();

    /** Makes another statement in the way in which this one was made. */
    @FunctionalInterface
    interface Twin {
        Statement make() throws Throwable;
    }

    /**
     * Where statements come from.
     *
     * @param connection the one behind
     */
    record Origin(Interceptor interceptor, long connectionId, Connection connection) {}

    /**
     * Around one statement.
     *
     * @param connection the intercepted one
     * @param made with what the statement was made
     */
    BatchStatement(Statement proxied, Twin twin, Origin origin, Connection connection, Object @Nullable [] made) {
        this.proxied = proxied;
        this.handler = Proxy.getInvocationHandler(proxied);
        this.twin = twin;
        this.origin = origin;
        this.connection = connection;
        this.sql = made != null && made.length > 0 && made[0] instanceof String text ? text : "";
        this.makesKeys = proxied instanceof PreparedStatement
                && made != null
                && GeneratedKeysUtils.isAutoGenerateEnabledParameters(made);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        if (name.equals("getGeneratedKeys") && !twins.isEmpty()) {
            return BatchKeys.of(twins, (Statement) proxy);
        }
        if (name.startsWith("execute") || name.equals("close")) {
            closeTwins();
        }
        if (name.equals("executeBatch") || name.equals("executeLargeBatch")) {
            List<BoundSql> batch = List.copyOf(added);
            added.clear();
            Sending sending = batch.size() > 1 ? ask(batch) : Sending.TOGETHER;
            return sending == Sending.TOGETHER
                    ? handler.invoke(proxy, method, arguments)
                    : split(batch, sending).send(name.equals("executeLargeBatch"));
        }
        Object result = handler.invoke(proxy, method, arguments);
        remember(method, arguments == null ? new Object[0] : arguments);
        return ResultHandler.belongsTo(result, proxy);
    }

    private Sending ask(List<BoundSql> batch) {
        return origin.interceptor()
                .sending(new Call(Kind.BATCH, origin.connectionId(), origin.connection(), batch), makesKeys);
    }

    private void remember(Method method, Object[] arguments) {
        switch (method.getName()) {
            case "addBatch" ->
                added.add(
                        arguments.length == 1
                                ? new BoundSql((String) arguments[0], List.of())
                                : new BoundSql(sql, List.copyOf(current.values())));
            case "clearBatch" -> added.clear();
            case "clearParameters" -> current.clear();
            default -> {
                boolean ofParameters = method.getDeclaringClass() == PreparedStatement.class
                        || method.getDeclaringClass() == CallableStatement.class;
                if (ofParameters
                        && (method.getName().startsWith("set")
                                || method.getName().equals("registerOutParameter"))) {
                    current.put(arguments[0], new ParameterSetOperation(method, kept(arguments)));
                }
            }
        }
    }

    /** The driver takes the value of a date when it is bound, and the program may change the object afterwards. */
    @SuppressWarnings("JavaUtilDate") // JDBC's dates are such
    private static Object[] kept(Object[] arguments) {
        Object[] kept = arguments.clone();
        for (int i = 0; i < kept.length; i++) {
            if (kept[i] instanceof Date date) {
                kept[i] = date.clone();
            }
        }
        return kept;
    }

    private BatchSplit split(List<BoundSql> batch, Sending sending) throws SQLException {
        proxied.clearBatch();
        if (!(proxied instanceof PreparedStatement)) {
            return new BatchSplit(batch, connection, sending, one -> {
                proxied.addBatch(one.sql());
                return proxied;
            });
        }
        Statement driver = (Statement) ((ProxyJdbcObject) proxied).getTarget();
        // Empty, it sends nothing, and closes the results of what was executed before as the whole batch would.
        driver.executeBatch();
        List<Statement> sent = new ArrayList<>();
        twins = sent;
        // A statement for each, because each closes the generated keys of what it sent before.
        return new BatchSplit(batch, connection, sending, one -> {
            PreparedStatement next = (PreparedStatement) twin.make();
            sent.add(next);
            next.setQueryTimeout(driver.getQueryTimeout());
            one.bindAll(next);
            next.addBatch();
            return next;
        });
    }

    private void closeTwins() throws SQLException {
        List<Statement> old = twins;
        twins = List.of();
        for (Statement one : old) {
            one.close();
        }
    }
}
