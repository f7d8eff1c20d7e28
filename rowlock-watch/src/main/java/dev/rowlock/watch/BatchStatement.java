package dev.rowlock.watch;

import dev.rowlock.watch.Call.Kind;
import dev.rowlock.watch.Interceptor.Sending;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.ttddyy.dsproxy.proxy.GeneratedKeysUtils;
import net.ttddyy.dsproxy.proxy.ParameterSetOperation;
import org.jspecify.annotations.Nullable;

/**
 * A statement that remembers what is added to its batch, so that each of it can be sent as a batch of one. The driver keeps the
 * values of parameters from one addition to the next, and so does this.
 */
final class BatchStatement implements InvocationHandler {
    private final Statement driver;
    private final InvocationHandler handler;
    private final CallListener listener;
    private final Origin origin;
    private final boolean isPrepared;
    private final Map<Object, ParameterSetOperation> current = new LinkedHashMap<>();
    private final List<BoundSql> added = new ArrayList<>();
    private Twin twin = () -> {
        throw new IllegalStateException("it is not known how this statement was made");
    };
    private String sql = "";
    private boolean makesKeys;
    /** What it was last executed for. */
    private @Nullable Call last;
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
     * @param connection the intercepted one
     */
    record Origin(long connectionId, Connection connection) {}

    /**
     * Around one statement.
     *
     * @param handler datasource-proxy's
     */
    BatchStatement(Statement driver, InvocationHandler handler, CallListener listener, Origin origin) {
        this.driver = driver;
        this.handler = handler;
        this.listener = listener;
        this.origin = origin;
        this.isPrepared = driver instanceof PreparedStatement;
    }

    /** What is behind a statement that was made by {@link ProxyFactory}, or null. */
    static @Nullable BatchStatement of(@Nullable Object proxy) {
        return ProxyFactory.handler(proxy) instanceof BatchStatement statement ? statement : null;
    }

    /**
     * Says how it was made.
     *
     * @param made with what
     */
    void madeBy(Twin again, Object @Nullable [] made) {
        twin = again;
        sql = made != null && made.length > 0 && made[0] instanceof String text ? text : "";
        makesKeys = isPrepared && made != null && GeneratedKeysUtils.isAutoGenerateEnabledParameters(made);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        if (name.equals("getGeneratedKeys") && !twins.isEmpty()) {
            return BatchKeys.of(twins, (Statement) proxy);
        }
        if (Unwatched.ofStatement(method)) {
            return watched(Unwatched.call(driver, method, arguments), proxy);
        }
        if (name.equals("close")) {
            closeTwins();
            if (last != null && !driver.isClosed()) {
                listener.interceptor().done(last);
            }
            return Unwatched.call(driver, method, arguments);
        }
        if (name.startsWith("execute")) {
            closeTwins();
            Object result;
            try {
                result = execute(proxy, method, arguments);
            } finally {
                rememberSent();
            }
            return watched(result, proxy);
        }
        Object result = handler.invoke(proxy, method, arguments);
        remember(method, arguments == null ? new Object[0] : arguments);
        return result;
    }

    private @Nullable Object execute(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        boolean large = method.getName().equals("executeLargeBatch");
        if (large || method.getName().equals("executeBatch")) {
            List<BoundSql> batch = List.copyOf(added);
            added.clear();
            Sending sending = batch.size() > 1 ? ask(batch) : Sending.TOGETHER;
            if (sending != Sending.TOGETHER) {
                return split(batch, sending).send(large);
            }
        }
        return handler.invoke(proxy, method, arguments);
    }

    /** Nothing new if it was kept from being sent. */
    private void rememberSent() {
        Call sent = listener.takeSent();
        last = sent == null ? last : sent;
    }

    private @Nullable Object watched(@Nullable Object result, Object proxy) {
        return result instanceof ResultSet rows
                ? ResultHandler.over(rows, listener.interceptor(), (Statement) proxy, origin.connectionId(), last)
                : result;
    }

    private Sending ask(List<BoundSql> batch) throws SQLException {
        return listener.interceptor()
                .sending(new Call(Kind.BATCH, origin.connectionId(), driver.getConnection(), batch), makesKeys);
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
        Statement proxied = ProxyFactory.plain(handler, isPrepared);
        proxied.clearBatch();
        if (!isPrepared) {
            return new BatchSplit(batch, origin.connection(), sending, one -> {
                proxied.addBatch(one.sql());
                return proxied;
            });
        }
        // Empty, it sends nothing, and closes the results of what was executed before as the whole batch would.
        driver.executeBatch();
        List<Statement> sent = new ArrayList<>();
        twins = sent;
        // A statement for each, because each closes the generated keys of what it sent before.
        return new BatchSplit(batch, origin.connection(), sending, one -> {
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
