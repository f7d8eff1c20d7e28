package dev.rowlock.watch;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.ttddyy.dsproxy.proxy.StatementMethodNames;
import org.jspecify.annotations.Nullable;

/**
 * Tells which methods neither the interceptor nor datasource-proxy has anything to do with. They are most of what a program calls,
 * such as reading a column, and go to the driver directly: to tell listeners of a method takes longer than most of them do.
 */
final class Unwatched {
    /** Of every object, and of the interface that datasource-proxy adds. */
    private static final Set<String> COMMON = Set.of(
            "getTarget",
            "getProxyConfig",
            "getDataSourceName",
            "unwrap",
            "isWrapperFor",
            "toString",
            "equals",
            "hashCode",
            "close");

    private static final Set<String> OF_CONNECTIONS = with(Stream.of(
            "prepareStatement",
            "prepareCall",
            "createStatement",
            "abort",
            "commit",
            "rollback",
            "setAutoCommit",
            "setTransactionIsolation",
            "setSchema",
            "setSavepoint",
            "releaseSavepoint"));

    /** Results are watched, but where they come from needs no listener. */
    private static final Set<String> OF_STATEMENTS = with(StatementMethodNames.METHODS_TO_INTERCEPT.stream()
            .filter(name -> !name.equals("getResultSet") && !name.equals("getGeneratedKeys")));

    private static final Set<String> OF_RESULTS =
            with(Stream.concat(Stream.of("next", "getStatement"), Kinds.ROW_METHODS.stream()));

    private Unwatched() {}

    private static Set<String> with(Stream<String> names) {
        return Stream.concat(COMMON.stream(), names).collect(Collectors.toUnmodifiableSet());
    }

    static boolean ofConnection(Method method) {
        return !OF_CONNECTIONS.contains(method.getName());
    }

    static boolean ofStatement(Method method) {
        return !OF_STATEMENTS.contains(method.getName());
    }

    static boolean ofResult(Method method) {
        return !OF_RESULTS.contains(method.getName());
    }

    /** Makes the call, and throws what it throws. */
    static @Nullable Object call(Object driver, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(driver, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
