package dev.rowlock.service.wallet;

import static dev.rowlock.service.Twins.assertViolated;

import dev.rowlock.Rowlock;
import dev.rowlock.prover.Race;
import dev.rowlock.prover.RaceDatabase;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import dev.rowlock.prover.junit.RaceExtension;
import dev.rowlock.service.Twins;
import java.util.List;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The service's own code for wallets, on its own schema, in every order, beside its broken twins. */
@ExtendWith(RaceExtension.class)
class WalletProofTest {
    private RaceDatabase database;
    private List<WalletService> instances;
    private Twins twins;

    @BeforeEach
    void open(RaceDatabase given) {
        database = given;
        Flyway.configure().dataSource(given.dataSource()).load().migrate();
        instances = Stream.generate(() -> Wallets.over(Rowlock.over(given.dataSource())))
                .limit(3)
                .toList();
        twins = new Twins(given.dataSource());
    }

    private Race race() {
        return Race.on(database)
                .given("INSERT INTO wallet (balance) VALUES (100), (100), (100)")
                .invariant("never below zero", "SELECT min(balance) >= 0 FROM wallet");
    }

    @Test
    void charges() {
        race().actor("A", () -> instances.get(0).charge(1, 80))
                .actor("B", () -> instances.get(1).charge(1, 80))
                .prove();
    }

    private long charge(long amount, String lock) {
        return twins.inTransaction(jdbc -> {
            long balance = balance(jdbc, 1, lock);
            if (balance < amount) {
                throw new IllegalStateException("only " + balance + " left");
            }
            return setBalance(jdbc, 1, balance - amount);
        });
    }

    @Test
    void chargesThatDecideOnWhatWasRead() {
        assertViolated(race().actor("A", () -> charge(80, "")).actor("B", () -> charge(80, "")), Anomaly.LOST_UPDATE);
    }

    /** Both share the row, and each waits for the other to let go before it writes. */
    @Test
    void chargesThatUpgradeAShareLock() {
        assertViolated(
                race().actor("A", () -> charge(80, " FOR SHARE")).actor("B", () -> charge(80, " FOR SHARE")),
                Anomaly.DEADLOCK);
    }

    private Race ring() {
        return race().invariant("nothing is lost", "SELECT sum(balance) = 300 FROM wallet");
    }

    @Test
    void transfersInARing() {
        ring().actor("A", () -> instances.get(0).transfer(1, 2, 60))
                .actor("B", () -> instances.get(1).transfer(2, 3, 60))
                .actor("C", () -> instances.get(2).transfer(3, 1, 60))
                .prove();
    }

    private String transfer(long from, long to, String lock) {
        return twins.inTransaction(jdbc -> {
            long payer = balance(jdbc, from, lock);
            long payee = balance(jdbc, to, lock);
            if (payer < 60) {
                throw new IllegalStateException("only " + payer + " left");
            }
            setBalance(jdbc, from, payer - 60);
            setBalance(jdbc, to, payee + 60);
            return "paid";
        });
    }

    /** Each holds the wallet that the other asks for next. */
    @Test
    void oppositeTransfersThatLockInTheOrderOfTheirArguments() {
        assertViolated(
                ring().actor("A", () -> transfer(1, 2, " FOR UPDATE")).actor("B", () -> transfer(2, 1, " FOR UPDATE")),
                Anomaly.DEADLOCK);
    }

    /** Each holds the wallet that the one before it in the ring asks for next. */
    @Test
    @Tag("deep")
    void transfersInARingThatLockInTheOrderOfTheirArguments() {
        assertViolated(
                ring().actor("A", () -> transfer(1, 2, " FOR UPDATE"))
                        .actor("B", () -> transfer(2, 3, " FOR UPDATE"))
                        .actor("C", () -> transfer(3, 1, " FOR UPDATE")),
                Anomaly.DEADLOCK);
    }

    /** The wallet between the two is set by each from what it was before the other. */
    @Test
    void transfersOfWhatWasRead() {
        assertViolated(
                ring().actor("A", () -> transfer(1, 2, "")).actor("B", () -> transfer(2, 3, "")), Anomaly.LOST_UPDATE);
    }

    private static long balance(JdbcClient jdbc, long id, String lock) {
        return jdbc.sql("SELECT balance FROM wallet WHERE id = ?" + lock)
                .param(id)
                .query(Long.class)
                .single();
    }

    private static long setBalance(JdbcClient jdbc, long id, long balance) {
        jdbc.sql("UPDATE wallet SET balance = ? WHERE id = ?")
                .param(balance)
                .param(id)
                .update();
        return balance;
    }
}
