package dev.rowlock.proofs;

import dev.rowlock.Rowlock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** How it is done where nobody has thought of the other writer: in the same units of work, with statements of one's own. */
public final class Broken {
    private Broken() {}

    /** Reads, decides, writes what it computed. */
    public static long take(Rowlock rowlock, String table, String column, long id, long amount, String lock)
            throws SQLException {
        return rowlock.<Long, SQLException>call(tx -> {
            long left = number(tx.connection(), "SELECT " + column + " FROM " + table + " WHERE id = ?" + lock, id);
            if (left < amount) {
                throw new IllegalStateException("only " + left + " left");
            }
            return set(tx.connection(), table, column, id, left - amount);
        });
    }

    /** Pays before it knows who else pays, and whom. */
    static void transfer(Rowlock rowlock, long from, long to, long amount) throws SQLException {
        rowlock.<SQLException>run(tx -> {
            String lock = "SELECT balance FROM wallet WHERE id = ? FOR UPDATE";
            long payer = number(tx.connection(), lock, from);
            long payee = number(tx.connection(), lock, to);
            set(tx.connection(), "wallet", "balance", from, payer - amount);
            set(tx.connection(), "wallet", "balance", to, payee + amount);
        });
    }

    static long number(Connection connection, String query, long id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setLong(1, id);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    static long set(Connection connection, String table, String column, long id, long value) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("UPDATE " + table + " SET " + column + " = ? WHERE id = ?")) {
            statement.setLong(1, value);
            statement.setLong(2, id);
            if (statement.executeUpdate() != 1) {
                throw new IllegalStateException("no row " + id + " in " + table);
            }
            return value;
        }
    }
}
