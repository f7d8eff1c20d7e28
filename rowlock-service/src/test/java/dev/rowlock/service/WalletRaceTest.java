package dev.rowlock.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that meet on the same wallets. */
@AuditedService
class WalletRaceTest {
    private final TestService service = TestService.shared();
    private final Clients clients = new Clients();

    @AfterEach
    void end() {
        clients.close();
    }

    private Answer charge(long wallet, long amount) {
        return service.post("/wallets/" + wallet + "/charges", "{\"amount\":" + amount + "}");
    }

    private Answer transfer(long from, long to, long amount) {
        return service.post("/transfers", "{\"from\":%d,\"to\":%d,\"amount\":%d}".formatted(from, to, amount));
    }

    @Test
    void secondChargeWaitsThenIsRefused() {
        long wallet = service.wallet(100);
        List<Future<Answer>> both;
        try (TestDatabase.Held held = service.database().hold("wallet", wallet)) {
            both = clients.crowd(2, number -> charge(wallet, 80));
            service.awaitPiledUp("balance", 1, 1); // both have come before either is through
        }
        List<Answer> answers = Clients.results(both);

        assertThat(Clients.count(answers, 200)).isEqualTo(1);
        assertThat(Clients.count(answers, 409)).isEqualTo(1);
        answers.forEach(answer -> assertThat(answer.number("balance")).isEqualTo(20));
        assertThat(service.balance(wallet)).isEqualTo(20);
    }

    @Test
    void hundredChargesTakeExactlyWhatIsThere() {
        long wallet = service.wallet(500);
        List<Future<Answer>> all;
        try (TestDatabase.Held held = service.database().hold("wallet", wallet)) {
            all = clients.crowd(100, number -> charge(wallet, 10));
            service.awaitPiledUp("balance", 99, 1); // one waits for the row, the others for that one
        }
        List<Answer> answers = Clients.results(all);

        assertThat(Clients.count(answers, 200)).isEqualTo(50);
        assertThat(Clients.count(answers, 409)).isEqualTo(50);
        assertThat(answers.stream()
                        .filter(answer -> answer.status() == 200)
                        .map(answer -> answer.number("balance"))
                        .distinct())
                .as("every charge saw what the one before it left")
                .hasSize(50);
        assertThat(service.balance(wallet)).isZero();
    }

    @Test
    void oppositeTransfersThatMeetBothHappen() {
        long one = service.wallet(100);
        long two = service.wallet(100);
        List<Future<Answer>> both;
        try (TestDatabase.Held held = service.database().hold("wallet", one)) {
            both = clients.crowd(2, number -> number == 0 ? transfer(one, two, 30) : transfer(two, one, 10));
            service.awaitPiledUp("balance", 1, 1);
        }

        assertThat(Clients.count(Clients.results(both), 200)).isEqualTo(2);
        assertThat(service.balance(one)).isEqualTo(80);
        assertThat(service.balance(two)).isEqualTo(120);
    }

    @Test
    void moneyIsConservedByManyOppositeTransfers() {
        int rounds = 40;
        long one = service.wallet(50);
        long two = service.wallet(50);
        List<Future<List<Answer>>> all = clients.crowd(
                8,
                number -> IntStream.range(0, rounds)
                        .mapToObj(round -> number % 2 == 0 ? transfer(one, two, 7) : transfer(two, one, 7))
                        .toList());
        List<Answer> answers =
                Clients.results(all).stream().flatMap(List::stream).toList();

        assertThat(Clients.count(answers, 200) + Clients.count(answers, 409)).isEqualTo(8L * rounds);
        assertThat(service.balance(one) + service.balance(two)).isEqualTo(100);
        assertThat(service.database()
                        .number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
                .isZero();
    }
}
