package dev.rowlock.prover;

import static dev.rowlock.prover.Violations.assertViolated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.Entities.Wallet;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import dev.rowlock.prover.engine.Verdict.Violated;
import dev.rowlock.prover.junit.RaceExtension;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.LockModeType;
import java.util.Map;
import org.hibernate.cfg.AvailableSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hibernate writes behind: when it flushes, and in which order, decides who waits for whom. */
@ExtendWith(RaceExtension.class)
class HibernateFlushTest {
    private RaceDatabase database;

    @BeforeEach
    void open(RaceDatabase given) {
        database = given.execute(Wallets.TABLE);
    }

    private Race wallets() {
        return Race.on(database).given("INSERT INTO wallet VALUES (1, 100), (2, 100)");
    }

    private Race bonuses(EntityManagerFactory factory) {
        return wallets().actor("A", () -> setBoth(factory, 1, 2)).actor("B", () -> setBoth(factory, 2, 1));
    }

    /** To the same value whatever was there, so that the order of the locks is all that can go wrong. */
    private static String setBoth(EntityManagerFactory factory, int first, int second) {
        return factory.callInTransaction(session -> {
            session.find(Wallet.class, first).balance = 500;
            session.find(Wallet.class, second).balance = 500;
            return "set";
        });
    }

    @Test
    void updatesInTheOrderOfLoading() {
        try (EntityManagerFactory factory = Entities.over(database.dataSource(), Map.of())) {
            assertViolated(bonuses(factory), Anomaly.DEADLOCK);
        }
    }

    @Test
    void updatesInTheOrderOfKeys() {
        try (EntityManagerFactory factory =
                Entities.over(database.dataSource(), Map.of(AvailableSettings.ORDER_UPDATES, true))) {
            bonuses(factory).prove();
        }
    }

    private Race chargesOfBoth(EntityManagerFactory factory, LockModeType lock) {
        return wallets().actor("A", () -> chargeBoth(factory, lock)).actor("B", () -> chargeBoth(factory, lock));
    }

    private static int chargeBoth(EntityManagerFactory factory, LockModeType lock) {
        return factory.callInTransaction(session -> {
            int left = session.find(Wallet.class, 1, lock).charge(80);
            return left + session.find(Wallet.class, 2, lock).charge(80);
        });
    }

    @Test
    void updatesInOneBatch() {
        try (EntityManagerFactory factory =
                Entities.over(database.dataSource(), Map.of(AvailableSettings.STATEMENT_BATCH_SIZE, 10))) {
            Violated violated = assertViolated(chargesOfBoth(factory, LockModeType.NONE), Anomaly.LOST_UPDATE);

            assertThat(violated.execution().inOrder())
                    .extracting(step -> step.step() + " " + step.sql() + " " + step.rows())
                    .contains(
                            "A3 update wallet set balance=20 where id=1 [[1 row]]",
                            "A4 update wallet set balance=20 where id=2 [[1 row]]");
            chargesOfBoth(factory, LockModeType.PESSIMISTIC_WRITE).prove();
        }
    }

    @Test
    void batchInTheOrderOfLoading() {
        try (EntityManagerFactory factory =
                Entities.over(database.dataSource(), Map.of(AvailableSettings.STATEMENT_BATCH_SIZE, 10))) {
            assertViolated(bonuses(factory), Anomaly.DEADLOCK);
        }
        try (EntityManagerFactory factory = Entities.over(
                database.dataSource(),
                Map.of(AvailableSettings.STATEMENT_BATCH_SIZE, 10, AvailableSettings.ORDER_UPDATES, true))) {
            bonuses(factory).prove();
        }
    }
}
