package dev.rowlock.watch;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Is called around everything that a program sends through an {@link InterceptedDataSource}, in the program's own thread. What is
 * thrown by {@link #before} reaches the program instead of the call, which is then not made.
 */
public interface Interceptor {
    /**
     * A connection was handed out. What is thrown closes it and reaches the program.
     *
     * @param id of this connection in all calls
     * @param connection the one behind, which is not intercepted
     */
    default void opened(long id, Connection connection) throws SQLException {}

    /** Called before the call is made. */
    void before(Call call);

    /** Called once it has come back, after every {@link #before} that did not throw. */
    void after(Call call, Result result);

    /**
     * The program has moved a result set, of a query or of generated keys, to another row.
     *
     * @param query what it is the result of
     * @param at the result set behind, at that row; to read from, not to be moved
     */
    default void atRow(Call query, ResultSet at) throws SQLException {}

    /**
     * The program has asked for something behind its connection; whatever it does with that is not seen.
     *
     * @param type what it asked for
     */
    default void unwrapped(long id, Class<?> type) {}
}
