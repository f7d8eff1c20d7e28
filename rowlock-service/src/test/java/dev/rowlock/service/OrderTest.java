package dev.rowlock.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An order, its stock, its payment, its audit entry and its confirmation: all or nothing. */
@AuditedService
class OrderTest {
    private final TestService service = TestService.shared();
    private final Clients clients = new Clients();
    private final String key = UUID.randomUUID().toString();

    @AfterEach
    void end() {
        clients.close();
    }

    private Answer order(String idempotencyKey, String body) {
        return service.json("POST", "/orders", body, "Idempotency-Key", idempotencyKey);
    }

    private static String body(long wallet, long... productsAndQuantities) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < productsAndQuantities.length; i += 2) {
            lines.add("{\"productId\":%d,\"quantity\":%d}"
                    .formatted(productsAndQuantities[i], productsAndQuantities[i + 1]));
        }
        return "{\"walletId\":" + wallet + ",\"lines\":[" + String.join(",", lines) + "]}";
    }

    private long stock(long product) {
        return service.get("/products/" + product).number("stock");
    }

    private long count(String table, long wallet) {
        return service.database().number("SELECT count(*) FROM " + table + " WHERE wallet_id = " + wallet);
    }

    @Test
    void everythingThatBelongsToAnOrderIsThere() {
        long wallet = service.wallet(1_000);
        long lamp = service.product("lamp", 30, 10);
        long chair = service.product("chair", 50, 10);

        Answer placed = order(key, body(wallet, chair, 2, lamp, 3));

        assertThat(placed.status()).as(placed.body()).isEqualTo(201);
        long id = placed.number("id");
        assertThat(placed.header("Location")).isEqualTo("/orders/" + id);
        assertThat(placed.number("total")).isEqualTo(190);
        assertThat(placed.json("lines").toString())
                .isEqualTo(
                        "[{\"productId\":%d,\"quantity\":2,\"price\":50},{\"productId\":%d,\"quantity\":3,\"price\":30}]"
                                .formatted(chair, lamp));
        assertThat(service.get("/orders/" + id).json()).isEqualTo(placed.json());
        assertThat(service.balance(wallet)).isEqualTo(810);
        assertThat(stock(lamp)).isEqualTo(7);
        assertThat(stock(chair)).isEqualTo(8);
        assertThat(service.database()
                        .number("SELECT amount * 1000000 + balance FROM audit_entry WHERE order_id = " + id))
                .isEqualTo(-190L * 1_000_000 + 810);
        Awaitility.await("the confirmation")
                .atMost(Duration.ofSeconds(20))
                .until(() ->
                        service.database().number("SELECT count(*) FROM notification WHERE order_id = " + id) == 1);
    }

    @Test
    void keyIsRequired() {
        long wallet = service.wallet(100);
        service.post("/orders", body(wallet, service.product("lamp", 1, 1), 1))
                .isProblem(400, "idempotency-key-required");
        assertThat(count("shop_order", wallet)).isZero();
    }

    @Test
    void whatIsMissingOrTooLittleIsNamedAndNothingIsTaken() {
        long wallet = service.wallet(100);
        long lamp = service.product("lamp", 30, 10);
        long last = service.product("last", 30, 1);
        String[] keys = IntStream.range(0, 5).mapToObj(i -> key + i).toArray(String[]::new);

        assertThat(order(keys[0], body(wallet, lamp, 1, last, 2))
                        .isProblem(409, "out-of-stock")
                        .number("id"))
                .isEqualTo(last);
        assertThat(order(keys[1], body(wallet, lamp, 1, 999_999, 2))
                        .isProblem(404, "product-not-found")
                        .number("product"))
                .isEqualTo(999_999);
        assertThat(order(keys[2], body(wallet, lamp, 4))
                        .isProblem(409, "insufficient-funds")
                        .number("id"))
                .isEqualTo(wallet);
        assertThat(order(keys[3], body(999_999, lamp, 1))
                        .isProblem(404, "wallet-not-found")
                        .number("wallet"))
                .isEqualTo(999_999);
        long dear = service.product("dear", 9_007_199_254_740_991L, 10);
        order(keys[4], body(wallet, dear, 2)).isProblem(422, "order-limit");

        assertThat(service.balance(wallet)).isEqualTo(100);
        assertThat(stock(lamp)).isEqualTo(10);
        assertThat(stock(last)).isEqualTo(1);
        assertThat(count("shop_order", wallet)).isZero();
        assertThat(count("audit_entry", wallet)).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"walletId\":1,\"lines\":[]} | lines",
                "{\"walletId\":1} | lines",
                "{\"walletId\":1,\"lines\":{}} | lines",
                "{\"walletId\":0,\"lines\":[{\"productId\":1,\"quantity\":1}]} | walletId",
                "{\"walletId\":1,\"lines\":[7]} | lines[0]",
                "{\"walletId\":1,\"lines\":[{\"productId\":1,\"quantity\":0}]} | lines[0].quantity",
                "{\"walletId\":1,\"lines\":[{\"productId\":1,\"quantity\":1},{\"quantity\":1}]} | lines[1].productId",
                "{\"walletId\":1,\"lines\":[{\"productId\":1,\"quantity\":1,\"x\":1}]} | lines[0].x",
                "{\"walletId\":1,\"lines\":[{\"productId\":1,\"quantity\":1,\"quantity\":1}]} | lines[0].quantity",
                "{\"walletId\":1,\"lines\":[{\"productId\":1,\"quantity\":1},{\"productId\":1,\"quantity\":1}]} | lines[1].productId"
            })
    void whatIsWrongInALineIsNamedByItsPlace(String body, String field) {
        order(key, body).isInvalid(field);
    }

    @Test
    void overLongOrderIsRefused() {
        String line = "{\"productId\":%d,\"quantity\":1}";
        String lines = IntStream.rangeClosed(1, 101).mapToObj(line::formatted).collect(Collectors.joining(","));
        order(key, "{\"walletId\":1,\"lines\":[" + lines + "]}").isInvalid("lines");
    }

    @Test
    void missingOrderIsNamed() {
        assertThat(service.get("/orders/999999")
                        .isProblem(404, "order-not-found")
                        .number("order"))
                .isEqualTo(999_999);
    }

    @Test
    void ordersInOppositeLinesWaitForEachOther() {
        long wallet = service.wallet(1_000);
        long one = service.product("one", 1, 100);
        long two = service.product("two", 1, 100);
        List<Future<Answer>> both;
        try (TestDatabase.Held held = service.database().hold("product", two)) {
            both = clients.crowd(
                    2, i -> order(key + i, i == 0 ? body(wallet, one, 1, two, 1) : body(wallet, two, 1, one, 1)));
            service.database().awaitBlocked(2);
        }

        assertThat(Clients.count(Clients.results(both), 201)).isEqualTo(2);
        assertThat(stock(one)).isEqualTo(98);
        assertThat(service.balance(wallet)).isEqualTo(996);
    }

    @Test
    void orderThatIsSentTwentyTimesAtOnceIsPlacedOnce() {
        long wallet = service.wallet(1_000);
        long lamp = service.product("lamp", 30, 10);
        List<Future<Answer>> all;
        try (TestDatabase.Held held = service.database().hold("product", lamp)) {
            all = clients.crowd(20, number -> order(key, body(wallet, lamp, 2)));
            service.database().awaitBlocked(20); // one at the lamp, the others at the key
        }
        List<Answer> answers = Clients.results(all);

        assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(201));
        assertThat(answers.stream().map(Answer::body).distinct()).hasSize(1);
        assertThat(answers)
                .filteredOn(answer -> answer.header("Idempotent-Replayed").equals("true"))
                .hasSize(19);
        assertThat(service.balance(wallet)).isEqualTo(940);
        assertThat(count("shop_order", wallet)).isEqualTo(1);
    }
}
