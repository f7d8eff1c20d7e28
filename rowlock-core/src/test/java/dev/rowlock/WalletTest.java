package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two charges of 80 meet on a wallet of 100: one must be refused. */
class WalletTest {
    private static final Table WALLETS = Table.of("wallet", "id");

    private TestDatabase database;
    private Rowlock rowlock;
    private Threads threads;

    @BeforeEach
    void open() {
        database = TestDatabase.create(
                "CREATE TABLE wallet (id bigint PRIMARY KEY, balance bigint NOT NULL)",
                "INSERT INTO wallet VALUES (1, 100)");
        rowlock = Rowlock.over(database.pool());
        threads = new Threads();
    }

    @AfterEach
    void close() {
        threads.close();
        database.close();
    }

    @Test
    void secondChargeWaitsThenIsRefused() throws Exception {
        CountDownLatch firstHoldsTheLock = new CountDownLatch(1);
        Future<String> second = threads.start(() -> {
            Threads.await(firstHoldsTheLock);
            return charge(80);
        });
        String first = rowlock.withLock(WALLETS, 1, (tx, wallet) -> {
            firstHoldsTheLock.countDown();
            database.awaitBlocked(1); // the second charge waits inside the database for our lock
            return decide(tx, wallet, 80);
        });

        assertThat(first).isEqualTo("charged, 20 left");
        assertThat(Threads.result(second)).isEqualTo("refused, 20 left");
        assertThat(database.number("SELECT balance FROM wallet")).isEqualTo(20);
    }

    /** The broken twin: both read 100 before either writes, and the second charge is free. */
    @Test
    void withoutTheLockTheSecondChargeIsFree() throws Exception {
        CountDownLatch bothHaveRead = new CountDownLatch(2);
        Future<String> second = threads.start(() -> brokenCharge(80, bothHaveRead));
        String first = brokenCharge(80, bothHaveRead);

        assertThat(first).isEqualTo("charged, 20 left");
        assertThat(Threads.result(second)).isEqualTo("charged, 20 left");
        assertThat(database.number("SELECT balance FROM wallet")).isEqualTo(20);
    }

    private String charge(long amount) {
        return rowlock.withLock(WALLETS, 1, (tx, wallet) -> decide(tx, wallet, amount));
    }

    private static String decide(Tx tx, Row wallet, long amount) {
        long balance = wallet.getLong("balance");
        if (balance < amount) {
            return "refused, " + balance + " left";
        }
        Row after = tx.update(WALLETS, 1).add("balance", -amount).apply().orThrow();
        return "charged, " + after.getLong("balance") + " left";
    }

    private String brokenCharge(long amount, CountDownLatch bothHaveRead) throws SQLException {
        try (Connection connection = database.pool().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            long balance;
            try (ResultSet result = statement.executeQuery("SELECT balance FROM wallet WHERE id = 1")) {
                result.next();
                balance = result.getLong(1);
            }
            bothHaveRead.countDown();
            Threads.await(bothHaveRead);
            statement.execute("UPDATE wallet SET balance = " + (balance - amount) + " WHERE id = 1");
            connection.commit();
            return "charged, " + (balance - amount) + " left";
        }
    }
}
