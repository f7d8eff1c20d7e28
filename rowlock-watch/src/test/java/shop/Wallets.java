package shop;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** A program that is traced: its package is no library's. */
public final class Wallets {
    private final DataSource dataSource;

    public Wallets(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** What is done in a transaction. */
    @FunctionalInterface
    public interface Work {
        void with(Connection connection) throws SQLException;
    }

    /** Commits at the end, or rolls back. */
    public void inTransaction(Work work) throws SQLException {
        inTransaction(Connection.TRANSACTION_READ_COMMITTED, work);
    }

    public void inTransaction(int isolation, Work work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setTransactionIsolation(isolation);
            connection.setAutoCommit(false);
            try {
                work.with(connection);
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    public void autoCommit(Work work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            work.with(connection);
        }
    }

    /** Locks what it reads. */
    public void charge(int id, int amount) throws SQLException {
        inTransaction(connection -> {
            int balance = number(connection, "SELECT balance FROM wallet WHERE id = ? FOR UPDATE", id);
            update(connection, "UPDATE wallet SET balance = ? WHERE id = ?", balance - amount, id);
        });
    }

    /** Overwrites what others wrote since it read. */
    public void chargeUnlocked(int id, int amount) throws SQLException {
        inTransaction(connection -> {
            int balance = number(connection, "SELECT balance FROM wallet WHERE id = ?", id);
            update(connection, "UPDATE wallet SET balance = ? WHERE id = ?", balance - amount, id);
        });
    }

    /** The first number of the result, which is read to its end; -1 without a row. */
    public static int number(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, values);
            try (ResultSet rows = statement.executeQuery()) {
                int first = -1;
                boolean any = false;
                while (rows.next()) {
                    first = any ? first : rows.getInt(1);
                    any = true;
                }
                return first;
            }
        }
    }

    public static int update(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, values);
            return statement.executeUpdate();
        }
    }

    public static void execute(Connection connection, String... texts) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : texts) {
                statement.execute(sql);
            }
        }
    }

    private static void bind(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }
}
