package dev.rowlock.prover;

import java.sql.SQLException;
import javax.sql.DataSource;

/** Charges wallets in plain JDBC, in the ways in which it is done. */
final class Wallets {
    static final String TABLE = "CREATE TABLE wallet (id int PRIMARY KEY, balance int NOT NULL)";

    private final DataSource dataSource;

    Wallets(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** The business says no. */
    static final class InsufficientFunds extends RuntimeException {
        InsufficientFunds(int balance) {
            super("only " + balance + " left");
        }
    }

    /** Reads, decides, writes what it computed. */
    int chargeUnlocked(int id, int amount) throws SQLException {
        return charge(id, amount, "");
    }

    /** Locks what it reads. */
    int chargeLocked(int id, int amount) throws SQLException {
        return charge(id, amount, " FOR UPDATE");
    }

    private int charge(int id, int amount, String lock) throws SQLException {
        return Jdbc.inTransaction(dataSource, connection -> {
            int balance = Jdbc.number(connection, "SELECT balance FROM wallet WHERE id = ?" + lock, id);
            if (balance < amount) {
                throw new InsufficientFunds(balance);
            }
            Jdbc.update(connection, "UPDATE wallet SET balance = ? WHERE id = ?", balance - amount, id);
            return balance - amount;
        });
    }
}
