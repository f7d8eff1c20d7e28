package dev.rowlock.watch;

import dev.rowlock.watch.Call.Kind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
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

    private static final int MOST_WRAPPERS = 3;

    private final Interceptor interceptor;
    /** What each statement was last executed for; the driver's statements have no equality but identity. */
    private final Map<Statement, Call> last = Collections.synchronizedMap(new WeakHashMap<>());

    CallListener(Interceptor interceptor) {
        this.interceptor = interceptor;
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
        last.put(driverStatement(statement), call);
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
        Optional<Call> call = Optional.empty();
        if (method.getMethod().getName().equals("close")) {
            aboutToClose(method.getTarget());
        }
        if (method.getTarget() instanceof Connection connection) {
            call = Kinds.of(connection, method).map(kind -> new Call(kind, id(method), connection, List.of()));
        } else if (method.getTarget() instanceof ResultSet result) {
            call = Kinds.of(result, method).map(kind -> of(result, kind));
        }
        call.ifPresent(made -> {
            interceptor.before(made);
            method.addCustomValue(CALL, made);
        });
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
        } else if (isWayBack(name) && isOfConnection(method.getTarget()) && isRaw(method.getResult())) {
            interceptor.unwrapped(id(method), method.getMethod().getReturnType());
        } else if (method.getTarget() instanceof Connection && name.equals("setTransactionIsolation")) {
            interceptor.isolationSet(id(method), (Integer) method.getMethodArgs()[0]);
        } else if (method.getTarget() instanceof ResultSet result && name.equals("next")) {
            Call query = last.get(statementOf(result));
            if (query != null && !Boolean.TRUE.equals(method.getResult())) {
                interceptor.done(query);
            } else if (query != null) {
                Unchecked.ask(() -> {
                    interceptor.atRow(query, result);
                    return query;
                });
            }
        }
    }

    private void aboutToClose(Object target) {
        Statement statement = null;
        if (target instanceof ResultSet result && !Unchecked.ask(result::isClosed)) {
            statement = statementOf(result);
        } else if (target instanceof Statement closing && !Unchecked.ask(closing::isClosed)) {
            statement = driverStatement(closing);
        }
        Call query = statement == null ? null : last.get(statement);
        if (query != null) {
            interceptor.done(query);
        }
    }

    /** What belongs to one connection, and can lead to what is behind it. */
    private static boolean isOfConnection(Object target) {
        return target instanceof Connection || target instanceof Statement || target instanceof ResultSet;
    }

    /** From a result to its statement, and from a statement to its connection. */
    private static boolean isWayBack(String name) {
        return name.equals("getStatement") || name.equals("getConnection");
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

    private Call of(ResultSet result, Kind kind) {
        Call query = last.get(statementOf(result));
        if (query == null) {
            throw new IllegalStateException("the result set belongs to no statement that was executed: " + result);
        }
        return new Call(kind, query.connectionId(), query.connection(), query.statements());
    }

    private static Statement statementOf(ResultSet result) {
        return driverStatement(Unchecked.ask(result::getStatement));
    }

    /** A pool behind wraps statements, and its result sets may know the driver's own. */
    private static Statement driverStatement(Statement statement) {
        Statement inner = statement;
        for (int depth = 0; depth < MOST_WRAPPERS; depth++) {
            Statement outer = inner;
            inner = Unchecked.ask(() -> outer.isWrapperFor(Statement.class) ? outer.unwrap(Statement.class) : outer);
        }
        return inner;
    }

    private static long id(MethodExecutionContext method) {
        return Long.parseLong(method.getConnectionInfo().getConnectionId());
    }

    private static Connection connection(Statement statement) {
        return Unchecked.ask(statement::getConnection);
    }
}
