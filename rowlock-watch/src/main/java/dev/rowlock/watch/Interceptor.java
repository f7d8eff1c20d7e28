package dev.rowlock.watch;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Is called around everything that a program sends through an {@link InterceptedDataSource}, in the program's own thread. What is
 * thrown by {@link #before} reaches the program instead of the call, which is then not made.
 */
public interface Interceptor {
    /** How the statements of a batch are sent. */
    enum Sending {
        /** By the driver, in one call: as the program wants it. */
        TOGETHER,
        /** Each in a batch of its own, as a call of its own. */
        ONE_BY_ONE,
        /**
         * The same in auto-commit mode, where the driver makes one transaction of a batch: with auto-commit off meanwhile, and a
         * commit, or a rollback, behind.
         */
        ONE_BY_ONE_IN_A_TRANSACTION
    }

    /**
     * Asked before a batch of more than one statement is executed, before any call is told of it. However it is sent, the program
     * gets what the driver gives for the whole batch: the counts, the error with all counts failed, the generated keys of all
     * statements (forwards only).
     *
     * @param batch the call that it is if it is sent together
     * @param makesKeys whether the program wants generated keys
     */
    default Sending sending(Call batch, boolean makesKeys) {
        return Sending.TOGETHER;
    }

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
     * The program has asked for something behind its connection, or behind a statement or a result set of it; whatever it does with
     * that is not seen.
     *
     * @param type what it asked for
     */
    default void unwrapped(long id, Class<?> type) {}

    /**
     * The program needs no more of a result: it has come to its end, or is about to close it or its statement. May be told more than
     * once.
     *
     * @param query what it is the result of
     */
    default void done(Call query) {}

    /**
     * The program has set the isolation level of its connection.
     *
     * @param level one of the constants of {@link Connection}
     */
    default void isolationSet(long id, int level) {}
}
