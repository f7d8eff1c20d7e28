package dev.rowlock.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Each answer of the wallet operations, one client at a time. */
@AuditedService
class WalletTest {
    private static final long MAX = 9_007_199_254_740_991L;

    private final TestService service = TestService.shared();

    @Test
    void newWalletIsCreatedWithItsLocation() {
        Answer answer = service.post("/wallets", "{\"balance\":100}");

        long id = answer.number("id");
        answer.is(201, "{\"id\":%d,\"balance\":100}".formatted(id));
        assertThat(answer.header("Location")).isEqualTo("/wallets/" + id);
        service.get(answer.header("Location")).is(200, "{\"id\":%d,\"balance\":100}".formatted(id));
    }

    @Test
    void walletMayHoldNothingOrAllThatAWalletCanHold() {
        assertThat(service.post("/wallets", "{\"balance\":0}").number("balance"))
                .isZero();
        assertThat(service.post("/wallets", "{\"balance\":" + MAX + "}").number("balance"))
                .isEqualTo(MAX);
    }

    @Test
    void missingWalletIsNotFound() {
        Answer answer = service.get("/wallets/4711000").isProblem(404, "wallet-not-found");
        assertThat(answer.number("wallet")).isEqualTo(4711000);
        assertThat(service.get("/wallets/" + Long.MAX_VALUE).status()).isEqualTo(404);
    }

    @Test
    void chargeTakesTheAmount() {
        long id = service.wallet(100);
        service.post("/wallets/" + id + "/charges", "{\"amount\":80}")
                .is(200, "{\"id\":%d,\"balance\":20}".formatted(id));
        assertThat(service.balance(id)).isEqualTo(20);
    }

    @Test
    void wholeBalanceCanBeCharged() {
        long id = service.wallet(80);
        service.post("/wallets/" + id + "/charges", "{\"amount\":80}")
                .is(200, "{\"id\":%d,\"balance\":0}".formatted(id));
    }

    @Test
    void chargeBeyondTheBalanceIsRefusedAndTellsIt() {
        long id = service.wallet(79);
        Answer answer =
                service.post("/wallets/" + id + "/charges", "{\"amount\":80}").isProblem(409, "insufficient-funds");
        assertThat(answer.number("id")).isEqualTo(id);
        assertThat(answer.number("balance")).isEqualTo(79);
        assertThat(answer.number("amount")).isEqualTo(80);
        assertThat(service.balance(id)).isEqualTo(79);
    }

    @Test
    void chargeOfAMissingWalletIsNotFound() {
        service.post("/wallets/4711000/charges", "{\"amount\":80}").isProblem(404, "wallet-not-found");
    }

    @Test
    void transferMovesTheAmount() {
        long from = service.wallet(100);
        long to = service.wallet(5);
        transfer(from, to, 10)
                .is(
                        200,
                        "{\"amount\":10,\"from\":{\"id\":%d,\"balance\":90},\"to\":{\"id\":%d,\"balance\":15}}"
                                .formatted(from, to));
        transfer(to, from, 15)
                .is(
                        200,
                        "{\"amount\":15,\"from\":{\"id\":%d,\"balance\":0},\"to\":{\"id\":%d,\"balance\":105}}"
                                .formatted(to, from));
    }

    @Test
    void transferBeyondTheBalanceIsRefusedAndTellsIt() {
        long from = service.wallet(9);
        long to = service.wallet(5);
        Answer answer = transfer(from, to, 10).isProblem(409, "insufficient-funds");
        assertThat(answer.number("id")).isEqualTo(from);
        assertThat(answer.number("balance")).isEqualTo(9);
        assertThat(service.balance(to)).isEqualTo(5);
    }

    @Test
    void transferThatWouldFillTheReceiverBeyondItsLimitIsRefused() {
        long from = service.wallet(10);
        long to = service.wallet(MAX - 9);
        Answer answer = transfer(from, to, 10).isProblem(409, "balance-limit");
        assertThat(answer.number("id")).isEqualTo(to);
        assertThat(answer.number("balance")).isEqualTo(MAX - 9);
        assertThat(service.balance(from)).isEqualTo(10);
        assertThat(transfer(from, to, 9).status()).isEqualTo(200);
    }

    @Test
    void transferNamesTheWalletThatIsMissing() {
        long wallet = service.wallet(100);
        assertThat(transfer(wallet, 4711001, 10)
                        .isProblem(404, "wallet-not-found")
                        .number("wallet"))
                .isEqualTo(4711001);
        assertThat(transfer(4711002, wallet, 10)
                        .isProblem(404, "wallet-not-found")
                        .number("wallet"))
                .isEqualTo(4711002);
        assertThat(service.balance(wallet)).isEqualTo(100);
    }

    @Test
    void transferToItselfMakesNoSense() {
        long wallet = service.wallet(100);
        assertThat(transfer(wallet, wallet, 10).isProblem(422, "same-wallet").number("wallet"))
                .isEqualTo(wallet);
    }

    private Answer transfer(long from, long to, long amount) {
        return service.post("/transfers", "{\"from\":%d,\"to\":%d,\"amount\":%d}".formatted(from, to, amount));
    }
}
