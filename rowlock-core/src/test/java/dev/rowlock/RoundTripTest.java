package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In the steady state a unit of work costs the round trips of the same transaction written by hand, counted on the wire. */
class RoundTripTest {
    private static final Table WALLETS = Table.of("wallet", "id");

    private TestDatabase database;
    private TcpProxy proxy;
    private HikariDataSource pool;
    private Rowlock rowlock;

    @BeforeEach
    void open() throws IOException {
        database = TestDatabase.create(
                "CREATE TABLE wallet (id bigint PRIMARY KEY, balance bigint NOT NULL)",
                "INSERT INTO wallet VALUES (1, 1000), (2, 1000)");
        proxy = new TcpProxy(TestDatabase.port());
        HikariConfig config = new HikariConfig();
        config.setDataSource(proxy.inFrontOf(database));
        config.setMaximumPoolSize(1);
        // As in a busy pool: a connection that was just used is lent without being tested first.
        System.setProperty("com.zaxxer.hikari.aliveBypassWindowMs", "60000");
        pool = new HikariDataSource(config);
        rowlock = Rowlock.over(pool);
    }

    @AfterEach
    void close() throws IOException {
        pool.close();
        proxy.close();
        database.close();
        System.clearProperty("com.zaxxer.hikari.aliveBypassWindowMs");
    }

    @Test
    void lockUpdateCommitByHandIsThreeRoundTrips() throws SQLException {
        assertThat(roundTrips(this::chargeByHand)).isEqualTo(3);
    }

    @Test
    void withLockAndUpdateAreThreeRoundTrips() throws SQLException {
        assertThat(roundTrips(() -> rowlock.withLock(
                        WALLETS,
                        1,
                        (tx, wallet) ->
                                tx.update(WALLETS, 1).add("balance", -1).apply().orThrow())))
                .isEqualTo(3);
    }

    @Test
    void guardedUpdateIsTwoRoundTrips() throws SQLException {
        assertThat(roundTrips(() -> rowlock.call(tx -> tx.update(WALLETS, 1)
                        .add("balance", -1)
                        .onlyIf("balance >= ?", 1)
                        .apply()
                        .orThrow())))
                .isEqualTo(2);
    }

    @Test
    void refusedUpdateIsOneMoreToReadTheCurrentRow() throws SQLException {
        assertThat(roundTrips(() -> rowlock.call(tx -> tx.update(WALLETS, 1)
                        .add("balance", -5000)
                        .onlyIf("balance >= ?", 5000)
                        .apply()
                        .isApplied())))
                .isEqualTo(3);
    }

    @Test
    void anyNumberOfLocksIsOneRoundTrip() throws SQLException {
        assertThat(roundTrips(() -> rowlock.withLocks(WALLETS, List.of(2, 1), (tx, rows) -> rows.size())))
                .isEqualTo(2);
    }

    @Test
    void waitLimitOfOneRequestCostsNoRoundTrip() throws SQLException {
        Lock lock = Lock.forNoKeyUpdate().waitAtMost(Duration.ofMillis(100));
        assertThat(roundTrips(() -> rowlock.withLock(WALLETS, 1, lock, (tx, wallet) -> wallet.getLong("balance"))))
                .isEqualTo(2);
    }

    @Test
    void limitsSetPerTransactionRideAlongWithTheFirstStatement() throws SQLException {
        rowlock = Rowlock.builder(pool).limitsPerTransaction(true).build();
        assertThat(roundTrips(() -> rowlock.withLock(WALLETS, 1, (tx, wallet) -> wallet.getLong("balance"))))
                .isEqualTo(2);
    }

    @Test
    void otherIsolationLevelRidesAlongToo() throws SQLException {
        Rowlock serializable = rowlock.withIsolation(Isolation.SERIALIZABLE);
        assertThat(roundTrips(() -> serializable.withLock(WALLETS, 1, (tx, wallet) -> wallet.getLong("balance"))))
                .isEqualTo(2);
    }

    @Test
    void statementOfTheCallersOwnIsTwoRoundTrips() throws SQLException {
        assertThat(roundTrips(() -> rowlock.run(tx -> {
                    try (PreparedStatement update =
                            tx.connection().prepareStatement("UPDATE wallet SET balance = balance - 1 WHERE id = 1")) {
                        update.executeUpdate();
                    }
                })))
                .isEqualTo(2);
    }

    @Test
    void readOnlyUnitOfWorkIsTwoRoundTrips() throws SQLException {
        assertThat(roundTrips(() -> rowlock.readOnly().call(tx -> tx.peek(WALLETS, 1))))
                .isEqualTo(2);
    }

    @Test
    void ownStatementIsTwoRoundTripsAlthoughItBringsBackTheTransactionId() throws SQLException {
        assertThat(roundTrips(() ->
                        rowlock.call(tx -> tx.execute("UPDATE wallet SET balance = balance - ? WHERE id = ?", 1L, 1L))))
                .isEqualTo(2);
    }

    @Test
    void statementAtCommitCostsNoRoundTrip() throws SQLException {
        assertThat(roundTrips(() -> rowlock.run(tx -> {
                    assertThat(tx.update(WALLETS, 1).add("balance", -1).apply().isApplied())
                            .isTrue();
                    tx.executeAtCommit("UPDATE wallet SET balance = balance + ? WHERE id = 2", 1L);
                })))
                .isEqualTo(2);
    }

    @Test
    void guardedUpdateThatIsAUnitOfWorkIsOneRoundTrip() throws SQLException {
        assertThat(roundTrips(() -> rowlock.update(WALLETS, 1)
                        .add("balance", -1)
                        .onlyIf("balance >= ?", 1)
                        .apply()
                        .orThrow()))
                .isEqualTo(1);
    }

    private List<Row> lockAndLook(Rowlock by) {
        return by.call(tx -> tx.queryInOrder(
                WALLETS,
                List.of(
                        SqlStatement.of("UPDATE wallet SET balance = balance - ? WHERE id = ?", 1L, 1L),
                        SqlStatement.of("SELECT * FROM wallet WHERE id = ?", 1L))));
    }

    @Test
    void statementsInOrderAreOneRoundTripUnlessTheyAreToBeSentApart() throws SQLException {
        Rowlock apart = Rowlock.builder(pool).pipelining(false).build();

        assertThat(roundTrips(() -> lockAndLook(rowlock))).isEqualTo(2);
        assertThat(roundTrips(() -> lockAndLook(apart))).isEqualTo(3);
        assertThat(lockAndLook(rowlock).get(0).getLong("balance"))
                .isEqualTo(lockAndLook(apart).get(0).getLong("balance") + 1);
    }

    @Test
    void ownStatementThatIsAUnitOfWorkIsOneRoundTrip() throws SQLException {
        assertThat(roundTrips(() -> rowlock.query("SELECT 1"))).isEqualTo(1);
    }

    private interface Work {
        void run() throws SQLException;
    }

    /** Once to warm up, then the cost of each of ten more, which must all be the same; server-side prepared from the sixth on. */
    private int roundTrips(Work work) throws SQLException {
        work.run();
        int before = proxy.roundTrips();
        work.run();
        int one = proxy.roundTrips() - before;
        for (int i = 0; i < 9; i++) {
            work.run();
        }
        assertThat(proxy.roundTrips() - before).isEqualTo(10 * one);
        return one;
    }

    private void chargeByHand() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement lock =
                            connection.prepareStatement("SELECT * FROM wallet WHERE id = ? FOR NO KEY UPDATE");
                    PreparedStatement update = connection.prepareStatement(
                            "UPDATE wallet SET balance = balance - 1 WHERE id = ? RETURNING *")) {
                lock.setLong(1, 1);
                try (ResultSet result = lock.executeQuery()) {
                    result.next();
                }
                update.setLong(1, 1);
                try (ResultSet result = update.executeQuery()) {
                    result.next();
                }
            }
            connection.commit();
        }
    }
}
