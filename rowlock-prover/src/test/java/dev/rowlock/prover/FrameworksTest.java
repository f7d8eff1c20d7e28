package dev.rowlock.prover;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.prover.engine.Verdict;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Pools and managed transactions between the code and the race's data source change nothing. */
class FrameworksTest {
    private RaceDatabase database;
    private HikariDataSource pool;

    @BeforeEach
    void open() {
        database = RaceDatabase.throwAway().execute(Wallets.TABLE);
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(4);
        pool = new HikariDataSource(config);
    }

    @AfterEach
    void close() {
        pool.close();
        database.close();
    }

    private Race race() {
        return Race.on(database).given("INSERT INTO wallet VALUES (1, 100)");
    }

    @Test
    void poolOnTopIsSeenThrough() {
        Wallets wallets = new Wallets(pool);

        assertThat(race().actor("A", () -> wallets.chargeUnlocked(1, 80))
                        .actor("B", () -> wallets.chargeUnlocked(1, 80))
                        .explore()
                        .verdict())
                .isInstanceOf(Verdict.Violated.class);
        race().actor("A", () -> wallets.chargeLocked(1, 80))
                .actor("B", () -> wallets.chargeLocked(1, 80))
                .prove();
    }

    /** A program that charges as a Spring service would. */
    private record SpringWallets(JdbcTemplate jdbc, TransactionTemplate transactions) {
        static SpringWallets over(DataSource dataSource) {
            return new SpringWallets(
                    new JdbcTemplate(dataSource),
                    new TransactionTemplate(new DataSourceTransactionManager(dataSource)));
        }

        Integer charge(int id, int amount, String lock) {
            return transactions.execute(status -> {
                Integer balance =
                        jdbc.queryForObject("SELECT balance FROM wallet WHERE id = ?" + lock, Integer.class, id);
                if (balance < amount) {
                    throw new Wallets.InsufficientFunds(balance);
                }
                jdbc.update("UPDATE wallet SET balance = ? WHERE id = ?", balance - amount, id);
                return balance - amount;
            });
        }
    }

    @Test
    void springsTransactionsAreSeenThrough() {
        SpringWallets wallets = SpringWallets.over(pool);

        assertThat(race().actor("A", () -> wallets.charge(1, 80, ""))
                        .actor("B", () -> wallets.charge(1, 80, ""))
                        .explore()
                        .verdict())
                .isInstanceOf(Verdict.Violated.class);
        race().actor("A", () -> wallets.charge(1, 80, " FOR UPDATE"))
                .actor("B", () -> wallets.charge(1, 80, " FOR UPDATE"))
                .invariant("never below zero", "SELECT min(balance) >= 0 FROM wallet")
                .prove();
    }

    /** A database that is not the prover's own, behind a pool of its owner's. */
    @Test
    void anyDisposableDatabaseWillDo() {
        try (RaceDatabase owner = RaceDatabase.throwAway();
                HikariDataSource theirs = new HikariDataSource()) {
            theirs.setDataSource(owner.dataSource());
            RaceDatabase over = RaceDatabase.over(theirs, "public").execute(Wallets.TABLE);
            Wallets wallets = new Wallets(over.dataSource());

            assertThat(Race.on(over)
                            .given("INSERT INTO wallet VALUES (1, 100)")
                            .actor("A", () -> wallets.chargeUnlocked(1, 80))
                            .actor("B", () -> wallets.chargeUnlocked(1, 80))
                            .explore()
                            .verdict())
                    .isInstanceOf(Verdict.Violated.class);
            Race.on(over)
                    .given("INSERT INTO wallet VALUES (1, 100)")
                    .actor("A", () -> wallets.chargeLocked(1, 80))
                    .actor("B", () -> wallets.chargeLocked(1, 80))
                    .prove();
        }
    }
}
