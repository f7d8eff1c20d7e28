package dev.rowlock.watch;

import dev.rowlock.watch.Call.Kind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Optional;
import java.util.Set;
import net.ttddyy.dsproxy.listener.MethodExecutionContext;
import org.jspecify.annotations.Nullable;

/** Knows which methods of connections and result sets reach the database, and when. */
final class Kinds {
    /** Those of result sets that write, or read again, the current row. */
    static final Set<String> ROW_METHODS = Set.of("updateRow", "insertRow", "deleteRow", "refreshRow");

    private Kinds() {}

    static Optional<Kind> of(Connection connection, MethodExecutionContext method) {
        Object @Nullable [] arguments = method.getMethodArgs();
        boolean ofSavepoint = arguments != null && arguments.length == 1 && arguments[0] instanceof Savepoint;
        return switch (method.getMethod().getName()) {
            case "commit" -> Optional.of(Kind.COMMIT);
            case "rollback" -> Optional.of(ofSavepoint ? Kind.ROLLBACK_TO_SAVEPOINT : Kind.ROLLBACK);
            case "setSchema" -> Optional.of(Kind.SCHEMA);
            case "setSavepoint" -> Optional.of(Kind.SAVEPOINT);
            case "releaseSavepoint" -> Optional.of(Kind.RELEASE_SAVEPOINT);
            case "setAutoCommit" ->
                arguments != null && Boolean.TRUE.equals(arguments[0]) && !Unchecked.ask(connection::getAutoCommit)
                        ? Optional.of(Kind.AUTO_COMMIT)
                        : Optional.empty();
            case "close", "abort" -> Unchecked.ask(connection::isClosed) ? Optional.empty() : Optional.of(Kind.CLOSE);
            default -> Optional.empty();
        };
    }

    static Optional<Kind> of(ResultSet result, String method) throws SQLException {
        if (ROW_METHODS.contains(method)) {
            return Optional.of(Kind.ROW);
        }
        return method.equals("next") && isAtEndOfPart(result) ? Optional.of(Kind.FETCH) : Optional.empty();
    }

    /** Outside a transaction, and without a fetch size, the driver gets all rows with the query. */
    private static boolean isAtEndOfPart(ResultSet result) throws SQLException {
        int part = result.getFetchSize();
        return part > 0
                && result.getType() == ResultSet.TYPE_FORWARD_ONLY
                && result.getRow() > 0
                && result.getRow() % part == 0
                && !result.getStatement().getConnection().getAutoCommit();
    }
}
