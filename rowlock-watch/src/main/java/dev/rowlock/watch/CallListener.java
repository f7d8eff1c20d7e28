package dev.rowlock.watch;

import dev.rowlock.watch.Call.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.ExecutionInfo;
import net.ttddyy.dsproxy.QueryInfo;
import net.ttddyy.dsproxy.listener.MethodExecutionContext;
import net.ttddyy.dsproxy.listener.MethodExecutionListener;
import net.ttddyy.dsproxy.listener.QueryExecutionListener;
import net.ttddyy.dsproxy.proxy.ProxyJdbcObject;
import org.jspecify.annotations.Nullable;

/** Makes {@link Call}s of what datasource-proxy tells: statements come as queries, everything else as methods. */
final class CallListener implements QueryExecutionListener, MethodExecutionListener {
    private static final String CALL = "rowlock.call";

    private final Interceptor interceptor;
    /** What this thread sent last, until its statement has asked for it. One data source may stand behind another, and each has its own. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Call> sent = new ThreadLocal<>();

    CallListener(Interceptor interceptor) {
        this.interceptor = interceptor;
    }

    Interceptor interceptor() {
        return interceptor;
    }

    /** What this thread has sent since it was asked for before; null if it was kept from sending it. */
    @Nullable
    Call takeSent() {
        Call call = sent.get();
        sent.remove();
        return call;
    }

    @Override
    public void beforeQuery(ExecutionInfo execution, List<QueryInfo> queries) {
        List<BoundSql> statements = new ArrayList<>();
        for (QueryInfo query : queries) {
            if (query.getParametersList().isEmpty()) {
                statements.add(new BoundSql(query.getQuery(), List.of()));
            }
            query.getParametersList().forEach(values -> statements.add(new BoundSql(query.getQuery(), values)));
        }
        Statement statement = execution.getStatement();
        Call call = new Call(
                execution.isBatch() ? Kind.BATCH : Kind.STATEMENT,
                Long.parseLong(execution.getConnectionId()),
                connection(statement),
                statements);
        interceptor.before(call);
        execution.addCustomValue(CALL, call);
        sent.set(call);
    }

    @Override
    public void afterQuery(ExecutionInfo execution, List<QueryInfo> queries) {
        Call call = execution.getCustomValue(CALL, Call.class);
        if (call != null) {
            interceptor.after(
                    call,
                    execution.isSuccess()
                            ? new Result.Returned(counts(execution))
                            : new Result.Failed(execution.getThrowable()));
        }
    }

    private static List<Long> counts(ExecutionInfo execution) {
        Object result = execution.getResult();
        List<Long> counts = new ArrayList<>();
        if (result instanceof Number count) {
            counts.add(count.longValue());
        } else if (result instanceof int[] batch) {
            for (int count : batch) {
                counts.add((long) count);
            }
        } else if (result instanceof long[] batch) {
            for (long count : batch) {
                counts.add(count);
            }
        } else if (Boolean.FALSE.equals(result)) {
            long count = Unchecked.ask(() -> execution.getStatement().getLargeUpdateCount());
            if (count >= 0) {
                counts.add(count);
            }
        }
        return counts;
    }

    @Override
    public void beforeMethod(MethodExecutionContext method) {
        if (method.getTarget() instanceof Connection connection) {
            Kinds.of(connection, method).ifPresent(kind -> {
                Call call = new Call(kind, id(method), connection, List.of());
                interceptor.before(call);
                method.addCustomValue(CALL, call);
            });
        }
    }

    @Override
    public void afterMethod(MethodExecutionContext method) {
        Call call = method.getCustomValue(CALL, Call.class);
        Throwable error = method.getThrown();
        if (call != null) {
            interceptor.after(call, error == null ? new Result.Returned(List.of()) : new Result.Failed(error));
        }
        if (error != null) {
            return;
        }
        String name = method.getMethod().getName();
        if (method.getTarget() instanceof DataSource && method.getResult() instanceof Connection proxy) {
            opened(id(method), proxy);
        } else if (name.equals("unwrap") && isOfConnection(method.getTarget())) {
            interceptor.unwrapped(id(method), (Class<?>) method.getMethodArgs()[0]);
        } else if (name.equals("getConnection") && isOfConnection(method.getTarget()) && isRaw(method.getResult())) {
            interceptor.unwrapped(id(method), method.getMethod().getReturnType());
        } else if (method.getTarget() instanceof Connection && name.equals("setTransactionIsolation")) {
            interceptor.isolationSet(id(method), (Integer) method.getMethodArgs()[0]);
        }
    }

    /** What belongs to one connection, and can lead to what is behind it. */
    private static boolean isOfConnection(Object target) {
        return target instanceof Connection || target instanceof Statement;
    }

    private static boolean isRaw(@Nullable Object result) {
        return result != null && !(result instanceof ProxyJdbcObject);
    }

    private void opened(long id, Connection proxy) {
        Connection behind = (Connection) ((ProxyJdbcObject) proxy).getTarget();
        try {
            interceptor.opened(id, behind);
        } catch (SQLException | RuntimeException e) {
            Unchecked.ask(() -> {
                behind.close();
                return behind;
            });
            throw Unchecked.of(e);
        }
    }

    private static long id(MethodExecutionContext method) {
        return Long.parseLong(method.getConnectionInfo().getConnectionId());
    }

    private static Connection connection(Statement statement) {
        return Unchecked.ask(statement::getConnection);
    }
}
