package dev.rowlock.samples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.put;

import dev.rowlock.StaleRowException;
import dev.rowlock.jpa.JpaLocks;
import dev.rowlock.prover.Race;
import dev.rowlock.prover.RaceReport;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.samples.shop.safe.Shop;
import dev.rowlock.spring.retry.RetryListener;
import jakarta.persistence.EntityManager;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;

/** The same four, proved, and what else is written beside them. */
class SafeShopTest {
    private static final AtomicInteger ABSORBED = new AtomicInteger();
    private static RacedShop app;

    /** Counts methods that lost to others and succeeded all the same. */
    private static final class Counting implements RetryListener {
        @Override
        public void onEnded(int conflicts, boolean absorbed) {
            if (absorbed) {
                ABSORBED.incrementAndGet();
            }
        }
    }

    @BeforeAll
    static void start() {
        app = new RacedShop(ShopApplication.class, beans -> {
            beans.registerBean(RetryListener.class, () -> new Counting());
            // The prover cannot look into a text of several statements, by which the wait is limited otherwise.
            beans.registerBean(
                    "locksInRaces",
                    JpaLocks.class,
                    () -> JpaLocks.over(beans.getBean(EntityManager.class)).withLockTimeoutOfTheSession(),
                    bean -> bean.setPrimary(true));
        });
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    private static Shop shop() {
        return app.bean(Shop.class);
    }

    private static RaceReport prove(String name, Race race) {
        RaceReport report = app.explore(race.named(name));
        assertThat(report.report().verdict()).as(report.text()).isEqualTo(new Verdict.Proved());
        ShopPage.assertTells(report);
        return report;
    }

    @Test
    void lastUnitIsSoldOnce() {
        prove(
                "two buyers, guarded",
                app.race()
                        .actor("A", () -> shop().buy(1, 1))
                        .actor("B", () -> shop().buy(1, 2))
                        .invariant(
                                "no order without a unit",
                                "SELECT stock = 0 AND (SELECT count(*) FROM orders) = 1 FROM product"));
    }

    private static String edit(String name, long price) {
        try {
            return "version " + shop().edit(1, 1, name, price);
        } catch (StaleRowException e) {
            return "stale";
        }
    }

    @Test
    void staleFormIsRefused() {
        prove(
                "two admins, with the version",
                app.race()
                        .actor("A", () -> edit("Mug", 5))
                        .actor("B", () -> edit("Cup", 9))
                        .invariant("one edit of version 1", "SELECT version <= 2 FROM product"));
    }

    @Test
    void saleBesideAnEdit() {
        prove(
                "a sale and an edit",
                app.race().actor("buyer", () -> shop().buy(1, 1)).actor("admin", () -> edit("Mug", 5)));
    }

    private static MockHttpServletResponse send(MockHttpServletRequestBuilder request, String body) throws Exception {
        return app.http()
                .perform(request.contentType("application/json").content(body))
                .andReturn()
                .getResponse();
    }

    private static Callable<String> posted(String path, String body) {
        return () -> {
            MockHttpServletResponse answer = send(post(path).header("Idempotency-Key", "\"p-1\""), body);
            return answer.getStatus() + " " + answer.getContentAsString()
                    + (answer.containsHeader("Idempotent-Replayed") ? " again" : "");
        };
    }

    @Test
    void repeatedPaymentIsChargedOnce() {
        String payment = "{\"account\":1,\"amount\":40,\"reference\":\"p-1\"}";
        prove(
                "a payment and its repeat, with a key",
                app.race()
                        .ignoring("rowlock_once.created_at", "rowlock_once.expires_at")
                        .actor("first", posted("/payments", payment))
                        .actor("repeat", posted("/payments", payment))
                        .invariant("charged once", "SELECT balance = 60 FROM account WHERE id = 1"));
    }

    @Test
    void oppositeTransfersSucceed() {
        prove(
                "opposite transfers, sorted",
                app.race()
                        .actor("there", () -> shop().transfer(1, 2, 30))
                        .actor("back", () -> shop().transfer(2, 1, 30)));
    }

    @Test
    void deadlockOfARefundIsAbsorbed() {
        int before = ABSORBED.get();
        RaceReport report = prove(
                "a transfer and a refund",
                app.race()
                        .actor("transfer", posted("/transfers", "{\"from\":1,\"to\":2,\"amount\":30}"))
                        .actor("refund", posted("/refunds", "{\"from\":2,\"to\":1,\"amount\":30}")));
        assertThat(ABSORBED).hasValueGreaterThan(before);
        assertThat(report.report().outcomes())
                .allSatisfy(
                        outcome -> assertThat(outcome.outcome()).containsSubsequence("returned 200 ", "returned 200 "));
    }

    @Test
    void lastUnitThatIsGoneIs409() throws Exception {
        app.filled();
        assertThat(send(post("/products/1/orders"), "{\"account\":1}").getContentAsString())
                .isEqualTo("{\"stock\":0}");
        MockHttpServletResponse second = send(post("/products/1/orders"), "{\"account\":2}");
        assertThat(second.getStatus()).isEqualTo(409);
        assertThat(second.getContentAsString()).contains("urn:rowlock:problem:refused");
    }

    @Test
    void staleFormIs412() throws Exception {
        app.filled();
        String edit = "{\"name\":\"Mug\",\"price\":5}";
        assertThat(send(put("/products/1"), edit).getStatus()).isEqualTo(428);
        assertThat(send(put("/products/1").header("If-Match", "\"1\""), edit).getHeader("ETag"))
                .isEqualTo("\"2\"");
        MockHttpServletResponse second = send(put("/products/1").header("If-Match", "\"1\""), edit);
        assertThat(second.getStatus()).isEqualTo(412);
        assertThat(second.getContentAsString()).contains("\"currentVersion\":2");
    }

    @Test
    void repeatedPaymentIsAnsweredAgain() throws Exception {
        app.filled();
        Callable<String> pay = posted("/payments", "{\"account\":1,\"amount\":40,\"reference\":\"p-1\"}");
        assertThat(pay.call()).isEqualTo("200 {\"balance\":60}");
        assertThat(pay.call()).isEqualTo("200 {\"balance\":60} again");
        assertThat(send(post("/payments"), "{\"account\":1,\"amount\":40}").getStatus())
                .isEqualTo(400);
    }
}
