package dev.rowlock.watch;

import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.InvocationTargetException;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.ttddyy.dsproxy.proxy.ParameterSetOperation;

/** SQL with the values that a program has bound to its question marks. */
public final class BoundSql {
    /** What may hold a question mark that is no parameter, an escaped one, and a parameter. */
    private static final Pattern MARK = Pattern.compile(
            "'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|(\\$\\w*\\$).*?\\1|--[^\\n]*|/\\*.*?\\*/|\\?\\?|(\\?)", Pattern.DOTALL);

    private static final Comparator<ParameterSetOperation> BY_NUMBER = Comparator.comparingInt(BoundSql::number);

    private final String sql;
    private final List<ParameterSetOperation> operations;

    BoundSql(String sql, List<ParameterSetOperation> operations) {
        this.sql = sql;
        this.operations = List.copyOf(operations);
    }

    /** The SQL as the program wrote it. */
    public String sql() {
        return sql;
    }

    /** Whether values were bound. */
    public boolean hasParameters() {
        return !operations.isEmpty();
    }

    /** The values in words, in the order of their question marks as far as they are numbered. */
    public List<String> values() {
        List<ParameterSetOperation> bound = new ArrayList<>(operations);
        bound.removeIf(ParameterSetOperation::isRegisterOutParameterOperation);
        bound.sort(BY_NUMBER);
        List<String> values = new ArrayList<>(bound.size());
        bound.forEach(operation -> values.add(value(operation)));
        return values;
    }

    private static int number(ParameterSetOperation operation) {
        return operation.getArgs()[0] instanceof Integer number ? number : Integer.MAX_VALUE;
    }

    private static String value(ParameterSetOperation operation) {
        Object value = ParameterSetOperation.isSetNullParameterOperation(operation)
                ? null
                : operation.getArgs()[1];
        if (value == null) {
            return "NULL";
        }
        return value instanceof Number || value instanceof Boolean
                ? value.toString()
                : "'" + value.toString().replace("'", "''") + "'";
    }

    /** The SQL with the values in the places of the question marks, for people to read. */
    public String text() {
        Iterator<String> values = values().iterator();
        return MARK.matcher(sql)
                .replaceAll(found -> Matcher.quoteReplacement(
                        found.group(2) != null && values.hasNext() ? values.next() : found.group()));
    }

    /** Whether {@link #bind} can bind the values again: not if one is a stream, nor if the statement has out parameters. */
    public boolean canBeBoundAgain() {
        return operations.stream().allMatch(BoundSql::canBeBoundAgain);
    }

    private static boolean canBeBoundAgain(ParameterSetOperation operation) {
        return !isStream(operation) && operation.getMethod().getDeclaringClass() != CallableStatement.class;
    }

    /** Whether one of the values is a stream, which can be sent only once. */
    public boolean hasStreams() {
        return operations.stream().anyMatch(BoundSql::isStream);
    }

    private static boolean isStream(ParameterSetOperation operation) {
        for (Object argument : operation.getArgs()) {
            if (argument instanceof InputStream || argument instanceof Reader) {
                return true;
            }
        }
        return false;
    }

    /**
     * Binds the same values to another statement.
     *
     * @throws SQLException if the driver refuses one, or if they cannot be bound again
     */
    public void bind(PreparedStatement statement) throws SQLException {
        if (!canBeBoundAgain()) {
            throw new SQLException("these parameters can be bound only once: " + text());
        }
        bindAll(statement);
    }

    /** To a statement of the same kind, which may have out parameters. */
    void bindAll(PreparedStatement statement) throws SQLException {
        for (ParameterSetOperation operation : operations) {
            try {
                operation.getMethod().invoke(statement, operation.getArgs());
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof SQLException refused) {
                    throw refused;
                }
                throw new SQLException("parameters cannot be bound again: " + text(), e);
            } catch (IllegalAccessException e) {
                throw new SQLException("parameters cannot be bound again: " + text(), e);
            }
        }
    }

    @Override
    public String toString() {
        return text();
    }
}
