package dev.rowlock.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request that is sent again is answered again and done once. */
@AuditedService
class IdempotencyTest {
    private final TestService service = TestService.shared();
    private final Clients clients = new Clients();
    private final String key = UUID.randomUUID().toString();

    @AfterEach
    void end() {
        clients.close();
    }

    private Answer charge(long wallet, long amount, String header) {
        return service.json(
                "POST", "/wallets/" + wallet + "/charges", "{\"amount\":" + amount + "}", "Idempotency-Key", header);
    }

    private static void isReplayOf(Answer first, Answer second) {
        assertThat(second.status()).isEqualTo(first.status());
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.header("Content-Type")).isEqualTo(first.header("Content-Type"));
        assertThat(first.header("Idempotent-Replayed")).isEmpty();
        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
    }

    @Test
    void chargeThatIsSentTwiceIsMadeOnce() {
        long wallet = service.wallet(100);

        Answer first = charge(wallet, 30, key);
        Answer second = charge(wallet, 30, key);

        first.is(200, "{\"id\":%d,\"balance\":70}".formatted(wallet));
        isReplayOf(first, second);
        assertThat(service.balance(wallet)).isEqualTo(70);
    }

    @Test
    void keyMeansTheSameWithAndWithoutQuotes() {
        long wallet = service.wallet(100);

        isReplayOf(charge(wallet, 30, "\"" + key + "\""), charge(wallet, 30, key));
    }

    @Test
    void spellingOfTheBodyDoesNotMatterButWhatItSaysDoes() {
        long wallet = service.wallet(100);
        String path = "/wallets/" + wallet + "/charges";
        Answer first = charge(wallet, 30, key);

        isReplayOf(first, service.json("POST", path, " { \"amount\" : 30 } ", "Idempotency-Key", key));
        charge(wallet, 31, key).isProblem(422, "idempotency-key-reused");
        charge(service.wallet(100), 30, key).isProblem(422, "idempotency-key-reused");
        assertThat(service.balance(wallet)).isEqualTo(70);
    }

    @Test
    void refusalIsRepeatedTooAlthoughItWouldNotBeOneNow() {
        long wallet = service.wallet(10);
        Answer refused = charge(wallet, 30, key).isProblem(409, "insufficient-funds");
        service.database().sql("UPDATE wallet SET balance = 100 WHERE id = " + wallet);

        isReplayOf(refused, charge(wallet, 30, key));
        assertThat(refused.json("instance").asString()).isEqualTo("/wallets/" + wallet + "/charges");
        assertThat(service.balance(wallet)).isEqualTo(100);
    }

    @Test
    void requestThatCannotBeReadLeavesTheKeyFree() {
        long wallet = service.wallet(100);
        charge(wallet, 0, key).isInvalid("amount");

        charge(wallet, 30, key).is(200, "{\"id\":%d,\"balance\":70}".formatted(wallet));
    }

    @Test
    void transfersAndReservationsAreDoneOnceToo() {
        long from = service.wallet(100);
        long to = service.wallet(0);
        long product = service.product("lamp", 5, 10);
        String transfer = "{\"from\":%d,\"to\":%d,\"amount\":30}".formatted(from, to);
        String reservation = "/products/" + product + "/reservations";
        String other = UUID.randomUUID().toString();

        isReplayOf(
                service.json("POST", "/transfers", transfer, "Idempotency-Key", key),
                service.json("POST", "/transfers", transfer, "Idempotency-Key", key));
        Answer reserved = service.json("POST", reservation, "{\"quantity\":3}", "Idempotency-Key", other);
        assertThat(reserved.status()).isEqualTo(201);
        isReplayOf(reserved, service.json("POST", reservation, "{\"quantity\":3}", "Idempotency-Key", other));

        assertThat(service.balance(to)).isEqualTo(30);
        assertThat(service.get("/products/" + product).number("stock")).isEqualTo(7);
        assertThat(service.database().number("SELECT count(*) FROM reservation WHERE product_id = " + product))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\" \"", "a b", "\"open", "a\"b", "\"\\x\""})
    void keyThatCannotBeOneIsNamed(String header) {
        charge(service.wallet(100), 30, header).isInvalid("Idempotency-Key");
    }

    @Test
    void overLongKeyIsNamed() {
        long wallet = service.wallet(100);
        charge(wallet, 30, "k".repeat(256)).isInvalid("Idempotency-Key");
        assertThat(charge(wallet, 30, key + "k".repeat(255 - key.length())).status())
                .isEqualTo(200);
    }

    @Test
    void repeatThatComesWhileTheFirstIsWorkedOnWaitsForItsAnswer() {
        long wallet = service.wallet(100);
        List<Future<Answer>> both;
        try (TestDatabase.Held held = service.database().hold("wallet", wallet)) {
            both = clients.crowd(2, number -> charge(wallet, 30, key));
            service.database().awaitBlocked(2); // one at the wallet, the other at the key
        }
        List<Answer> answers = Clients.results(both);

        assertThat(Clients.count(answers, 200)).isEqualTo(2);
        assertThat(answers)
                .filteredOn(answer -> answer.header("Idempotent-Replayed").equals("true"))
                .hasSize(1);
        assertThat(service.balance(wallet)).isEqualTo(70);
    }

    @Test
    void repeatThatWaitsInVainIsToldToComeAgain() {
        try (TestService impatient = TestService.start(Map.of("rowlock.lock-timeout", "300ms"))) {
            long wallet = impatient.wallet(100);
            // Another instance is at it: it holds the key and has not committed.
            try (TestDatabase.Held held = impatient.database().hold("wallet", wallet)) {
                held.sql("INSERT INTO rowlock_once (scope, key, fingerprint, expires_at) VALUES ('http', '" + key
                        + "', '', now() + interval '1 day')");
                Answer answer = impatient.json(
                        "POST", "/wallets/" + wallet + "/charges", "{\"amount\":30}", "Idempotency-Key", key);

                answer.isProblem(409, "request-in-flight");
                assertThat(answer.header("Retry-After")).isEqualTo("1");
            }
        }
    }
}
