package dev.rowlock.watch.trace;

import java.sql.SQLException;

/**
 * How a statement failed.
 *
 * @param sqlState the five characters, or empty if the error has none
 * @param message the message
 */
public record Failure(String sqlState, String message) {
    static Failure of(Throwable error) {
        String state = error instanceof SQLException sql && sql.getSQLState() != null ? sql.getSQLState() : "";
        return new Failure(state, String.valueOf(error.getMessage()));
    }
}
