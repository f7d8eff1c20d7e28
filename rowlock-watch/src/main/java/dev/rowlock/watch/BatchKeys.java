package dev.rowlock.watch;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The generated keys of a batch whose statements were sent one by one: one result after the other, to be read forwards. */
final class BatchKeys implements InvocationHandler {
    /** What depends on where the row stands among all. */
    private static final Set<String> OF_THE_WHOLE = Set.of(
            "absolute",
            "afterLast",
            "beforeFirst",
            "first",
            "getRow",
            "isAfterLast",
            "isBeforeFirst",
            "isFirst",
            "isLast",
            "last",
            "previous",
            "relative");

    private final List<ResultSet> parts;
    private final Statement statement;
    private int at;

    private BatchKeys(List<ResultSet> parts, Statement statement) {
        this.parts = parts;
        this.statement = statement;
    }

    static ResultSet of(List<Statement> sent, Statement statement) throws SQLException {
        List<ResultSet> parts = new ArrayList<>();
        ResultSet none = sent.get(0).getGeneratedKeys();
        for (Statement one : sent) {
            ResultSet keys = one.getGeneratedKeys();
            // Of one that made no rows not even the columns are known.
            if (keys.getMetaData().getColumnCount() > 0) {
                parts.add(keys);
            }
        }
        if (parts.isEmpty()) {
            parts.add(none);
        }
        return (ResultSet) Proxy.newProxyInstance(
                BatchKeys.class.getClassLoader(), new Class<?>[] {ResultSet.class}, new BatchKeys(parts, statement));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        if (OF_THE_WHOLE.contains(name)) {
            throw new SQLFeatureNotSupportedException(
                    "generated keys of a batch that is sent statement by statement can only be read forwards: " + name);
        }
        return switch (name) {
            case "next" -> next();
            case "close" -> close();
            case "getStatement" -> statement;
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> Unwatched.call(parts.get(at), method, arguments);
        };
    }

    private boolean next() throws SQLException {
        while (!parts.get(at).next()) {
            if (at == parts.size() - 1) {
                return false;
            }
            at++;
        }
        return true;
    }

    private @Nullable Object close() throws SQLException {
        for (ResultSet part : parts) {
            part.close();
        }
        return null;
    }
}
