package dev.rowlock.prover;

import static dev.rowlock.prover.Violations.assertViolated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.Entities.Product;
import dev.rowlock.prover.Entities.Wallet;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import dev.rowlock.prover.engine.Verdict.Violated;
import dev.rowlock.prover.junit.RaceExtension;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.LockModeType;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.RollbackException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Entities are raced like rows: what each lock mode and the version are worth once the flush writes them back. */
@ExtendWith(RaceExtension.class)
class HibernateTest {
    private RaceDatabase database;
    private EntityManagerFactory factory;

    @BeforeEach
    void open(RaceDatabase given) {
        database = given.execute(Wallets.TABLE, Entities.PRODUCTS);
        factory = Entities.over(given.dataSource(), Map.of());
    }

    @AfterEach
    void close() {
        factory.close();
    }

    private Race wallets() {
        return Race.on(database)
                .given("INSERT INTO wallet VALUES (1, 100)")
                .invariant("never below zero", "SELECT min(balance) >= 0 FROM wallet");
    }

    private Race charges(LockModeType lock) {
        return wallets().actor("A", () -> charge(lock)).actor("B", () -> charge(lock));
    }

    private int charge(LockModeType lock) {
        return factory.callInTransaction(
                session -> session.find(Wallet.class, 1, lock).charge(80));
    }

    /** No line of the program writes; the flush of each sets what was computed from the 100 that both had loaded. */
    @Test
    void entityThatWasOnlyLoaded() {
        Violated violated = assertViolated(charges(LockModeType.NONE), Anomaly.LOST_UPDATE);

        assertThat(violated.execution().inOrder())
                .extracting(step -> step.step() + " " + step.sql())
                .contains("A2 update wallet set balance=20 where id=1", "B2 update wallet set balance=20 where id=1");
    }

    @Test
    void entityThatWasLocked() {
        charges(LockModeType.PESSIMISTIC_WRITE).prove();
    }

    /** Each shares the row, and waits at its flush for the other to let go. */
    @Test
    void entityUnderAShareLock() {
        assertViolated(charges(LockModeType.PESSIMISTIC_READ), Anomaly.DEADLOCK);
    }

    private int chargeAfterAll(boolean loadedAgain) {
        return factory.callInTransaction(session -> {
            Wallet wallet = session.find(Wallet.class, 1);
            if (loadedAgain) {
                session.refresh(wallet, LockModeType.PESSIMISTIC_WRITE);
            } else {
                session.lock(wallet, LockModeType.PESSIMISTIC_WRITE);
            }
            return wallet.charge(80);
        });
    }

    /** The lock waits for the other's commit, and brings nothing of it into the object. */
    @Test
    void entityThatIsLockedAfterItWasLoaded() {
        assertViolated(
                wallets().actor("A", () -> chargeAfterAll(false)).actor("B", () -> chargeAfterAll(false)),
                Anomaly.LOST_UPDATE);
    }

    @Test
    void entityThatIsLoadedAgainUnderTheLock() {
        wallets()
                .actor("A", () -> chargeAfterAll(true))
                .actor("B", () -> chargeAfterAll(true))
                .prove();
    }

    private Race products() {
        return Race.on(database).given("INSERT INTO product VALUES (7, 3, 1)");
    }

    private int reserve() {
        return factory.callInTransaction(session -> --session.find(Product.class, 7).stock);
    }

    private Race reservations() {
        return products().actor("A", this::reserve).actor("B", this::reserve);
    }

    /** The second flush finds another version: its caller is told that nothing was done. */
    @Test
    void versionThatTheFlushFindsChanged() {
        reservations().abortedBy(OptimisticLockException.class).prove();
    }

    /** Whoever runs alone finds the version that he has just read: taken for an answer, the refusal is one that is never right. */
    @Test
    void versionThatTheFlushFindsChangedIsNoAnswer() {
        assertViolated(reservations(), Anomaly.UNEXPECTED_ERROR);
    }

    private int reserveAgain() {
        int mostAttempts = 3;
        for (int attempt = 1; ; attempt++) {
            try {
                return reserve();
            } catch (RollbackException e) {
                if (attempt == mostAttempts || !(e.getCause() instanceof OptimisticLockException)) {
                    throw e;
                }
            }
        }
    }

    @Test
    void reservationThatIsMadeAgainWhenTheVersionHasChanged() {
        products().actor("A", this::reserveAgain).actor("B", this::reserveAgain).prove();
    }

    /** The version is the one that a client had read some time ago, so the one who comes second is stale in every serial order. */
    private String edit(int stock) {
        Product form = new Product();
        form.id = 7;
        form.stock = stock;
        form.version = 1;
        try {
            return factory.callInTransaction(session -> {
                session.merge(form);
                return "edited";
            });
        } catch (OptimisticLockException e) {
            return "stale";
        } catch (RollbackException e) {
            if (e.getCause() instanceof OptimisticLockException) {
                return "stale";
            }
            throw e;
        }
    }

    @Test
    void editOfTheVersionThatAClientHadRead() {
        products().actor("A", () -> edit(9)).actor("B", () -> edit(8)).prove();
    }
}
