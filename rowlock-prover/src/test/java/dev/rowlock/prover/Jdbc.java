package dev.rowlock.prover;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** Plain JDBC in few words, for programs that are raced. */
final class Jdbc {
    private Jdbc() {}

    /** What is done with a connection. */
    @FunctionalInterface
    interface Work<T> {
        T with(Connection connection) throws SQLException;
    }

    /** In one transaction at the level that the connection has. */
    static <T> T inTransaction(DataSource dataSource, Work<T> work) throws SQLException {
        return inTransaction(dataSource, Connection.TRANSACTION_READ_COMMITTED, work);
    }

    static <T> T inTransaction(DataSource dataSource, int isolation, Work<T> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setTransactionIsolation(isolation);
            connection.setAutoCommit(false);
            try {
                T result = work.with(connection);
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(true);
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
        }
    }

    /** Each statement by itself. */
    static <T> T autoCommit(DataSource dataSource, Work<T> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return work.with(connection);
        }
    }

    /** The one number that the query returns. */
    static int number(Connection connection, String query, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            bind(statement, values);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    /** The number in the first row, if there is one. */
    static OptionalInt find(Connection connection, String query, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            bind(statement, values);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? OptionalInt.of(row.getInt(1)) : OptionalInt.empty();
            }
        }
    }

    /** The number of rows. */
    static int update(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, values);
            return statement.executeUpdate();
        }
    }

    private static void bind(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }
}
