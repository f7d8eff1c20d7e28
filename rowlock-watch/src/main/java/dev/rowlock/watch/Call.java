package dev.rowlock.watch;

import java.sql.Connection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One call that reaches the database, or may.
 *
 * @param kind what kind
 * @param connectionId of the connection that was handed out to the program
 * @param connection the one behind, which is not intercepted
 * @param statements the SQL that it sends, one for each statement of a batch; empty where the driver writes the SQL
 */
public record Call(Kind kind, long connectionId, Connection connection, List<BoundSql> statements) {
    /** What a call does. */
    public enum Kind {
        /** Executes one text, which may be several statements. */
        STATEMENT,
        /** Executes a batch. */
        BATCH,
        /** Gets the next rows of a query whose result is fetched in parts. */
        FETCH,
        /** Writes, or reads again, the current row of an updatable result set. */
        ROW,
        /** {@code Connection.commit()}. */
        COMMIT,
        /** {@code Connection.rollback()}. */
        ROLLBACK,
        /** Sets a savepoint. */
        SAVEPOINT,
        /** Rolls back to a savepoint. */
        ROLLBACK_TO_SAVEPOINT,
        /** Releases a savepoint. */
        RELEASE_SAVEPOINT,
        /** {@code setAutoCommit(true)} while it is off, which commits. */
        AUTO_COMMIT,
        /** {@code Connection.setSchema()}, which decides what names in statements mean. */
        SCHEMA,
        /** {@code Connection.close()} or {@code abort}, which end a transaction that is open. */
        CLOSE
    }

    public Call {
        statements = List.copyOf(statements);
    }

    /** What is sent, in words: the SQL with its parameters' values, or the name of the call. */
    public String text() {
        return switch (kind) {
            case STATEMENT, BATCH -> statements.stream().map(BoundSql::text).collect(Collectors.joining("; "));
            case FETCH -> "fetch more of " + texts();
            case ROW -> "change a row of " + texts();
            case AUTO_COMMIT -> "COMMIT by setAutoCommit(true)";
            case CLOSE -> "ROLLBACK by close()";
            case SCHEMA -> "SET search_path by setSchema()";
            default -> kind.name().replace('_', ' ');
        };
    }

    private String texts() {
        return statements.stream().map(BoundSql::text).collect(Collectors.joining("; "));
    }
}
