package dev.rowlock.samples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.Race;
import dev.rowlock.prover.RaceReport;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import dev.rowlock.prover.engine.Verdict.Violated;
import dev.rowlock.samples.shop.plain.Shop;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.dao.OptimisticLockingFailureException;

/** The four races of the plain shop, as the prover finds them and the page tells them. */
class PlainShopTest {
    private static RacedShop app;

    @BeforeAll
    static void start() {
        app = new RacedShop(PlainShopApplication.class, beans -> {});
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    private static Shop shop() {
        return app.bean(Shop.class);
    }

    private static void assertViolated(String name, Race race, Anomaly anomaly) {
        RaceReport report = app.explore(race.named(name));
        assertThat(report.report().verdict())
                .isInstanceOfSatisfying(
                        Violated.class,
                        violated -> assertThat(violated.anomaly()).isEqualTo(anomaly));
        ShopPage.assertTells(report);
    }

    @Test
    void lastUnitIsSoldTwice() {
        assertViolated(
                "two buyers",
                app.race().actor("A", () -> shop().buy(1, 1)).actor("B", () -> shop().buy(1, 2)),
                Anomaly.LOST_UPDATE);
    }

    @Test
    void staleFormOverwrites() {
        assertViolated(
                "two admins",
                app.race()
                        .actor("A", () -> shop().edit(1, new ProductForm("Mug", 5, 1)))
                        .actor("B", () -> shop().edit(1, new ProductForm("Cup", 9, 1)))
                        .abortedBy(OptimisticLockingFailureException.class)
                        .invariant("one edit of version 1", "SELECT version <= 2 FROM product"),
                Anomaly.BROKEN_INVARIANT);
    }

    @Test
    void repeatedPaymentIsChargedTwice() {
        assertViolated(
                "a payment and its repeat",
                app.race()
                        .actor("first", () -> shop().pay(1, 40, "p-1"))
                        .actor("repeat", () -> shop().pay(1, 40, "p-1")),
                Anomaly.PHANTOM);
    }

    @Test
    void oppositeTransfersEndInADeadlock() {
        assertViolated(
                "opposite transfers",
                app.race()
                        .actor("there", () -> shop().transfer(1, 2, 30))
                        .actor("back", () -> shop().transfer(2, 1, 30)),
                Anomaly.DEADLOCK);
    }

    /** The deadlock alone would be found too; the invariant says what the caller wanted of the attempt. */
    @Test
    void attemptInsideTheTransactionThatHasLostIsInVain() {
        assertViolated(
                "opposite transfers, tried again",
                app.race()
                        .actor("there", () -> shop().transferAgainIfItFails(1, 2, 30))
                        .actor("back", () -> shop().transferAgainIfItFails(2, 1, 10))
                        .invariant("both are made", "SELECT balance = 80 FROM account WHERE id = 1"),
                Anomaly.BROKEN_INVARIANT);
    }
}
