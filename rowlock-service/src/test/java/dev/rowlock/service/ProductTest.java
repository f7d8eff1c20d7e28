package dev.rowlock.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Making, reading and reserving products, one client at a time. */
@AuditedService
class ProductTest {
    private final TestService service = TestService.shared();
    private long id;
    private String path;

    @BeforeEach
    void makeProduct() {
        id = service.product("oar", 100, 10);
        path = "/products/" + id;
    }

    private String product(String name, long price, long stock, long version) {
        return "{\"id\":%d,\"name\":\"%s\",\"price\":%d,\"stock\":%d,\"version\":%d}"
                .formatted(id, name, price, stock, version);
    }

    @Test
    void newProductIsCreatedWithLocationAndTag() {
        Answer answer = service.post("/products", "{\"name\":\"oar\",\"price\":100,\"stock\":10}");
        id = answer.number("id");
        answer.is(201, product("oar", 100, 10, 1));
        assertThat(answer.header("Location")).isEqualTo("/products/" + id);
        assertThat(answer.header("ETag")).isEqualTo("\"1\"");
    }

    @Test
    void productIsReadWithItsTag() {
        Answer answer = service.get(path).is(200, product("oar", 100, 10, 1));
        assertThat(answer.header("ETag")).isEqualTo("\"1\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"1\"", "W/\"1\"", "\"7\", \"1\"", "*"})
    void knownVersionIsNotSentAgain(String tags) {
        Answer answer = service.get(path, "If-None-Match", tags);
        assertThat(answer.status()).isEqualTo(304);
        assertThat(answer.header("ETag")).isEqualTo("\"1\"");
        assertThat(answer.body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"2\"", "\"01\"", "1"})
    void otherVersionIsSent(String tags) {
        service.get(path, "If-None-Match", tags).is(200, product("oar", 100, 10, 1));
    }

    @Test
    void readOfAnotherVersionThanDemandedFails() {
        assertThat(service.get(path, "If-Match", "\"1\"").status()).isEqualTo(200);
        service.get(path, "If-Match", "\"2\"").isProblem(412, "precondition-failed");
    }

    @Test
    void missingProductIsNotFound() {
        assertThat(service.get("/products/4711000")
                        .isProblem(404, "product-not-found")
                        .number("product"))
                .isEqualTo(4711000);
    }

    @Test
    void headTellsTheTagWithoutABody() {
        Answer answer = service.send("HEAD", path, BodyPublishers.noBody());
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("ETag")).isEqualTo("\"1\"");
    }

    @Test
    void nameMayHaveTwoHundredCharactersOfAnyPlane() {
        String name = "🛶".repeat(200);
        service.post("/products", "{\"name\":\"%s\",\"price\":0,\"stock\":0}".formatted(name));
        assertThat(service.get("/products/" + service.product(name, 0, 0))
                        .json("name")
                        .asString())
                .isEqualTo(name);
    }

    @Test
    void reservationTakesFromStockAndRaisesTheVersion() {
        Answer answer = reserve(3);
        assertThat(answer.status()).as(answer.body()).isEqualTo(201);
        assertThat(answer.number("id")).isPositive();
        assertThat(answer.number("productId")).isEqualTo(id);
        assertThat(answer.number("quantity")).isEqualTo(3);
        assertThat(answer.number("stock")).isEqualTo(7);
        assertThat(answer.json("createdAt").asString()).endsWith("Z");
        service.get(path).is(200, product("oar", 100, 7, 2));
        assertThat(reservations()).isEqualTo(1);
    }

    @Test
    void reservationBeyondTheStockIsRefusedAndTellsIt() {
        Answer answer = reserve(11).isProblem(409, "out-of-stock");
        assertThat(answer.number("id")).isEqualTo(id);
        assertThat(answer.number("stock")).isEqualTo(10);
        assertThat(answer.number("quantity")).isEqualTo(11);
        service.get(path).is(200, product("oar", 100, 10, 1));
        assertThat(reservations()).isZero();
    }

    @Test
    void reservationOfAMissingProductIsNotFound() {
        service.post("/products/4711000/reservations", "{\"quantity\":1}").isProblem(404, "product-not-found");
    }

    private Answer reserve(long quantity) {
        return service.post(path + "/reservations", "{\"quantity\":" + quantity + "}");
    }

    private long reservations() {
        return service.database().number("SELECT count(*) FROM reservation WHERE product_id = " + id);
    }
}
