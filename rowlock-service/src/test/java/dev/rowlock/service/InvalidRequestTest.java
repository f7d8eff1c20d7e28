package dev.rowlock.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with a request is a 400 that names it. */
@AuditedService
class InvalidRequestTest {
    private static final String TOO_LARGE = "9007199254740992";

    private final TestService service = TestService.shared();

    private Answer wallet(String json) {
        return service.post("/wallets", json);
    }

    private Answer productNamed(String jsonText) {
        return service.post("/products", "{\"name\":" + jsonText + ",\"price\":1,\"stock\":1}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                TOO_LARGE,
                "9223372036854775808",
                "-9223372036854775809",
                "1e3",
                "1.0",
                "1.5",
                "\"100\"",
                "\"\"",
                "true",
                "null",
                "[1]",
                "{\"amount\":1}"
            })
    void balanceIsAWholeNumberWithinBounds(String balance) {
        wallet("{\"balance\":" + balance + "}").isInvalid("balance");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", TOO_LARGE, "99999999999999999999999", "1.5", "\"1\"", "false", "null"})
    void amountsAndQuantitiesAreWholeNumbersFromOne(String amount) {
        service.post("/wallets/1/charges", "{\"amount\":" + amount + "}").isInvalid("amount");
        service.post("/transfers", "{\"from\":1,\"to\":2,\"amount\":" + amount + "}")
                .isInvalid("amount");
        service.post("/products/1/reservations", "{\"quantity\":" + amount + "}")
                .isInvalid("quantity");
    }

    @Test
    void hugeNumberIsNamedToo() {
        wallet("{\"balance\":" + "9".repeat(5_000) + "}").isInvalid("balance");
    }

    @Test
    void everythingThatIsWrongIsNamedAtOnce() {
        service.post("/products", "{\"price\":-1,\"stock\":\"many\",\"colour\":\"red\",\"version\":1}")
                .isInvalid("name", "price", "stock", "colour", "version");
        service.post("/transfers", "{\"from\":0,\"to\":\"2\",\"amount\":0}").isInvalid("from", "to", "amount");
    }

    @Test
    void wrongTypeIsSaidInTheWordsOfJson() {
        assertThat(wallet("{\"balance\":\"100\"}").message(0)).isEqualTo("must be a whole number, not a text");
        assertThat(productNamed("7").message(0)).isEqualTo("must be a text, not a whole number");
    }

    @Test
    void memberGivenTwiceIsNamed() {
        wallet("{\"balance\":1,\"balance\":2}").isInvalid("balance");
        wallet("{\"balance\":1,\"x\":1,\"x\":1}").isInvalid("x", "x");
    }

    @Test
    void namesOfMembersAreExact() {
        wallet("{\"Balance\":1}").isInvalid("balance", "Balance");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\"",
                "\" \"",
                "\"\\u00a0\\u2003\"",
                "\"\\u200b\"",
                "\"a\\u0000b\"",
                "\"a\\nb\"",
                "\"a\\u007fb\"",
                "\"a\\ud83d\"",
                "\"\\udef6a\"",
                "null",
                "7",
                "true",
                "[\"a\"]"
            })
    void nameIsATextThatCanBeSeenAndStored(String jsonText) {
        productNamed(jsonText).isInvalid("name");
    }

    @Test
    void overLongNameIsNamed() {
        productNamed("\"" + "x".repeat(201) + "\"").isInvalid("name");
        assertThat(productNamed("\"" + "x".repeat(200) + "\"").status()).isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " \n",
                "[]",
                "[{\"balance\":1}]",
                "7",
                "\"x\"",
                "null",
                "true",
                "{\"balance\":1} x",
                "{\"balance\":1}{\"balance\":1}",
                "{\"balance\":1}]",
                "{",
                "{'balance':1}",
                "{balance:1}",
                "<x/>",
                "{\"balance\":1,}",
                "{\"balance\":1x}"
            })
    void bodyIsOneJsonObjectAndNothingElse(String body) {
        wallet(body).isInvalid("body");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"balance\":",
                "{\"balance\":01}",
                "{\"balance\":NaN}",
                "{\"balance\":\"",
                "{\"balance\":+1}",
                "{\"balance\":[1}",
                "{\"balance\":\"\\x\"}",
                "{\"balance\":\"a\nb\"}"
            })
    void malformedValueIsNamedByItsMember(String body) {
        wallet(body).isInvalid("balance");
    }

    @Test
    void malformedJsonTellsThePlace() {
        Answer answer = wallet("{\n  \"balance\": oops\n}").isInvalid("balance");
        assertThat(answer.number("line")).isEqualTo(2);
        assertThat(answer.number("column")).isBetween(14L, 19L);
        assertThat(answer.message(0)).contains("line 2");
    }

    @Test
    void bytesThatAreNoUtf8AreMalformed() {
        byte[] body = {'{', '"', (byte) 0xE9, '"', ':', '1', '}'};
        service.send("POST", "/wallets", BodyPublishers.ofByteArray(body), "Content-Type", "application/json")
                .isInvalid("body");
    }

    @Test
    void deepNestingIsRefusedQuickly() {
        wallet("{\"balance\":" + "[".repeat(30_000) + "}").isInvalid("balance");
    }

    @Test
    void answerDoesNotGrowWithTheErrors() {
        String members =
                IntStream.range(0, 3_000).mapToObj(i -> "\"m" + i + "\":1").collect(Collectors.joining(","));
        Answer answer = wallet("{" + members + "}").isProblem(400, "invalid-request");
        assertThat(answer.json("errors").size()).isEqualTo(20);
        assertThat(wallet("{\"" + "m".repeat(40_000) + "\":1}").body().length()).isLessThan(1_000);
    }

    @Test
    void missingBodyIsNamed() {
        service.send("POST", "/wallets", BodyPublishers.noBody(), "Content-Type", "application/json")
                .isInvalid("body");
    }

    @ParameterizedTest
    @CsvSource({"x", "0", "-1", "+1", "1.0", "1e3", "0x1", "01", "%31%20", "9223372036854775808", "99999999999999999999"
    })
    void idInThePathIsAWholeNumberFromOne(String id) {
        service.get("/wallets/" + id).isInvalid("id");
        service.get("/products/" + id).isInvalid("id");
        service.post("/wallets/" + id + "/charges", "{\"amount\":1}").isInvalid("id");
    }
}
