package dev.rowlock.watch;

import java.sql.SQLException;

/** Lets the errors of the database through a listener whose methods may not throw them. */
final class Unchecked {
    private Unchecked() {}

    @FunctionalInterface
    interface Question<T> {
        T ask() throws SQLException;
    }

    static <T> T ask(Question<T> question) {
        try {
            return question.ask();
        } catch (SQLException e) {
            throw of(e);
        }
    }

    /** The methods that are intercepted may throw it; the listener's own may not say so. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    static <E extends Exception> RuntimeException of(Exception e) throws E {
        throw (E) e;
    }
}
