package dev.rowlock.watch;

import dev.rowlock.watch.Call.Kind;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A result set that tells of its rows and leads back to the statement that the program knows. Not one of datasource-proxy's: those tell
 * listeners of each column that is read, which costs more than reading it.
 */
final class ResultHandler implements InvocationHandler {
    private final Interceptor interceptor;
    private final ResultSet behind;
    private final Statement statement;
    private final long connectionId;
    /** Null for a result of nothing, such as the generated keys of a statement that was not executed. */
    private final @Nullable Call query;

    private ResultHandler(
            Interceptor interceptor, ResultSet behind, Statement statement, long connectionId, @Nullable Call query) {
        this.interceptor = interceptor;
        this.behind = behind;
        this.statement = statement;
        this.connectionId = connectionId;
        this.query = query;
    }

    /**
     * The result as the program gets it.
     *
     * @param statement the one that the program knows
     * @param query what the statement was last executed for
     */
    static ResultSet over(
            ResultSet behind, Interceptor interceptor, Statement statement, long connectionId, @Nullable Call query) {
        return ProxyFactory.result(new ResultHandler(interceptor, behind, statement, connectionId, query));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (Unwatched.ofResult(method)) {
            return Unwatched.call(behind, method, arguments);
        }
        switch (method.getName()) {
            case "getTarget" -> {
                return behind;
            }
            case "getStatement" -> {
                // For its error if it is closed.
                behind.getStatement();
                return statement;
            }
            case "equals" -> {
                Object other = arguments == null ? null : arguments[0];
                return behind.equals(
                        ProxyFactory.handler(other) instanceof ResultHandler handler ? handler.behind : other);
            }
            case "toString" -> {
                return behind.getClass().getSimpleName() + " [" + behind + "]";
            }
            case "unwrap" -> {
                Object unwrapped = Unwatched.call(behind, method, arguments);
                if (arguments != null) {
                    interceptor.unwrapped(connectionId, (Class<?>) arguments[0]);
                }
                return unwrapped;
            }
            default -> {
                return query == null ? Unwatched.call(behind, method, arguments) : told(query, method, arguments);
            }
        }
    }

    private @Nullable Object told(Call of, Method method, Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        if (name.equals("close") && !behind.isClosed()) {
            interceptor.done(of);
        }
        Optional<Kind> kind = Kinds.of(behind, name);
        Object result = kind.isPresent()
                ? sent(new Call(kind.get(), of.connectionId(), of.connection(), of.statements()), method, arguments)
                : Unwatched.call(behind, method, arguments);
        if (name.equals("next")) {
            at(of, Boolean.TRUE.equals(result));
        }
        return result;
    }

    private @Nullable Object sent(Call call, Method method, Object @Nullable [] arguments) throws Throwable {
        interceptor.before(call);
        Object result;
        try {
            result = Unwatched.call(behind, method, arguments);
        } catch (Throwable e) {
            interceptor.after(call, new Result.Failed(e));
            throw e;
        }
        interceptor.after(call, new Result.Returned(List.of()));
        return result;
    }

    private void at(Call of, boolean row) throws SQLException {
        if (row) {
            interceptor.atRow(of, behind);
        } else {
            interceptor.done(of);
        }
    }
}
