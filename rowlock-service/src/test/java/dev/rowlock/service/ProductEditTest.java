package dev.rowlock.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Editing the version that was read: PUT with If-Match, PATCH with the version in the body. */
@AuditedService
class ProductEditTest {
    private static final String DATA = "{\"name\":\"paddle\",\"price\":90,\"stock\":8}";

    private final TestService service = TestService.shared();
    private long id;
    private String path;

    @BeforeEach
    void makeProductOfVersionTwo() {
        id = service.product("oar", 100, 11);
        path = "/products/" + id;
        assertThat(service.post(path + "/reservations", "{\"quantity\":1}").status())
                .isEqualTo(201);
    }

    private String product(String name, long price, long stock, long version) {
        return "{\"id\":%d,\"name\":\"%s\",\"price\":%d,\"stock\":%d,\"version\":%d}"
                .formatted(id, name, price, stock, version);
    }

    private void isUnchanged() {
        service.get(path).is(200, product("oar", 100, 10, 2));
    }

    private Answer put(String tags) {
        return service.json("PUT", path, DATA, "If-Match", tags);
    }

    private Answer patch(String json) {
        return service.json("PATCH", path, json);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"2\"", "\"7\", \"2\"", "\"2\",W/\"2\"", " \"2\" ", ",\"2\",,", "\"a,b\", \"2\""})
    void putReplacesTheVersionThatWasRead(String tags) {
        Answer answer = put(tags).is(200, product("paddle", 90, 8, 3));
        assertThat(answer.header("ETag")).isEqualTo("\"3\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"1\"", "W/\"2\"", "\"02\"", "\"x\"", "\"\"", "\"1\", \"3\"", "\"99999999999999999999\""})
    void putOfAnotherVersionFailsAndShowsTheCurrentProduct(String tags) {
        Answer answer = put(tags).isProblem(412, "precondition-failed");
        assertThat(answer.json("current")).isEqualTo(service.get(path).json());
        assertThat(answer.number("currentVersion")).isEqualTo(2);
        assertThat(answer.json("expectedVersion").asString()).isEqualTo(tags.equals("\"1\"") ? "1" : tags);
        isUnchanged();
    }

    @Test
    void tagsMayComeInSeveralHeaders() {
        service.json("PUT", path, DATA, "If-Match", "\"1\"", "If-Match", "\"2\"")
                .is(200, product("paddle", 90, 8, 3));
    }

    @Test
    void putWithoutTheVersionIsRefused() {
        service.json("PUT", path, DATA).isProblem(428, "precondition-required");
        isUnchanged();
    }

    @Test
    void starNamesNoVersion() {
        put("*").isProblem(428, "precondition-required");
        isUnchanged();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "\"2", "2\"", "'2'", "w/\"2\"", "\"2\" \"3\"", "\"2\", *", "\"2\";", ","})
    void putWithAnUnreadableTagNamesTheHeader(String tags) {
        put(tags).isInvalid("If-Match");
        isUnchanged();
    }

    @Test
    void missingProductIsNotFoundBeforeItsVersionIsCompared() {
        service.json("PUT", "/products/4711000", DATA, "If-Match", "\"1\"").isProblem(404, "product-not-found");
        service.json("PUT", "/products/4711000", DATA, "If-Match", "W/\"1\"").isProblem(404, "product-not-found");
        service.json("PATCH", "/products/4711000", "{\"version\":1,\"price\":1}")
                .isProblem(404, "product-not-found");
    }

    @Test
    void patchChangesOnlyWhatItNames() {
        Answer answer = patch("{\"version\":2,\"price\":90}").is(200, product("oar", 90, 10, 3));
        assertThat(answer.header("ETag")).isEqualTo("\"3\"");
        patch("{\"version\":3,\"name\":\"paddle\"}").is(200, product("paddle", 90, 10, 4));
        patch("{\"version\":4,\"stock\":0}").is(200, product("paddle", 90, 0, 5));
    }

    @Test
    void patchIsAMergePatchToo() {
        String json = "{\"version\":2,\"price\":90}";
        service.json("PATCH", path, json).is(200, product("oar", 90, 10, 3));
        service.send(
                        "PATCH",
                        path,
                        BodyPublishers.ofString("{\"version\":3,\"price\":80}"),
                        "Content-Type",
                        "application/merge-patch+json")
                .is(200, product("oar", 80, 10, 4));
    }

    @Test
    void patchOfAnotherVersionConflictsAndShowsTheCurrentProduct() {
        Answer answer = patch("{\"version\":1,\"price\":90}").isProblem(409, "stale");
        assertThat(answer.json("current")).isEqualTo(service.get(path).json());
        assertThat(answer.number("currentVersion")).isEqualTo(2);
        assertThat(answer.number("expectedVersion")).isEqualTo(1);
        isUnchanged();
    }

    @Test
    void tagsSentWithAPatchMustMatchToo() {
        String json = "{\"version\":2,\"price\":90}";
        service.json("PATCH", path, json, "If-Match", "\"1\"").isProblem(412, "precondition-failed");
        service.json("PATCH", path, "{\"version\":1,\"price\":90}", "If-Match", "\"1\"")
                .isProblem(412, "precondition-failed");
        service.json("PATCH", path, "{\"version\":1,\"price\":90}", "If-Match", "\"2\"")
                .isProblem(409, "stale");
        service.json("PATCH", path, json, "If-Match", "2").isInvalid("If-Match");
        isUnchanged();
        service.json("PATCH", path, json, "If-Match", "\"2\"").is(200, product("oar", 90, 10, 3));
    }

    @Test
    void patchWithoutVersionIsRefused() {
        patch("{\"price\":90}").isInvalid("version");
        patch("{\"version\":null,\"price\":90}").isInvalid("version");
        patch("{\"version\":\"2\",\"price\":90}").isInvalid("version");
        patch("{\"version\":0,\"price\":90}").isInvalid("version");
        isUnchanged();
    }

    @Test
    void patchCannotRemoveData() {
        patch("{\"version\":2,\"name\":null,\"price\":null,\"stock\":null}").isInvalid("name", "price", "stock");
        isUnchanged();
    }

    @Test
    void patchThatChangesNothingIsRefused() {
        patch("{\"version\":2}").isInvalid("body");
        isUnchanged();
    }
}
