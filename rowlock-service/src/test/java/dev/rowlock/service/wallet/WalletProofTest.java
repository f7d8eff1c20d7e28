package dev.rowlock.service.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.Rowlock;
import dev.rowlock.prover.Race;
import dev.rowlock.prover.RaceDatabase;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.junit.RaceExtension;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The service's own code for wallets, on its own schema, in every order. */
@ExtendWith(RaceExtension.class)
class WalletProofTest {
    private RaceDatabase database;
    private WalletService wallets;

    @BeforeEach
    void open(RaceDatabase given) {
        database = given;
        Flyway.configure().dataSource(given.dataSource()).load().migrate();
        wallets = new WalletService(Rowlock.over(given.dataSource()));
    }

    private Race race() {
        return Race.on(database)
                .given("INSERT INTO wallet (balance) VALUES (100), (100), (100)")
                .invariant("never below zero", "SELECT min(balance) >= 0 FROM wallet");
    }

    @Test
    void charges() {
        race().actor("A", () -> wallets.charge(1, 80))
                .actor("B", () -> wallets.charge(1, 80))
                .prove();
    }

    @Test
    void transfersInARing() {
        race().actor("A", () -> wallets.transfer(1, 2, 60))
                .actor("B", () -> wallets.transfer(2, 3, 60))
                .actor("C", () -> wallets.transfer(3, 1, 60))
                .invariant("nothing is lost", "SELECT sum(balance) = 300 FROM wallet")
                .prove();
    }

    /** The charge as it is usually written with the same framework. */
    private Long chargeUnlocked(DataSource dataSource) {
        JdbcClient jdbc = JdbcClient.create(dataSource);
        return new TransactionTemplate(new DataSourceTransactionManager(dataSource)).execute(status -> {
            Long balance = jdbc.sql("SELECT balance FROM wallet WHERE id = 1")
                    .query(Long.class)
                    .single();
            if (balance < 80) {
                throw new IllegalStateException("only " + balance + " left");
            }
            jdbc.sql("UPDATE wallet SET balance = ? WHERE id = 1")
                    .param(balance - 80)
                    .update();
            return balance - 80;
        });
    }

    @Test
    void chargesThatDecideOnWhatWasRead() {
        assertThat(race().actor("A", () -> chargeUnlocked(database.dataSource()))
                        .actor("B", () -> chargeUnlocked(database.dataSource()))
                        .explore()
                        .verdict())
                .isInstanceOf(Verdict.Violated.class);
    }
}
