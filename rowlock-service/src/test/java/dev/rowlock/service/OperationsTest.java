package dev.rowlock.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What operators and client developers see. */
@AuditedService
class OperationsTest {
    private final TestService service = TestService.shared();

    @Test
    void healthIncludesTheDatabase() {
        JsonNode health = service.get("/actuator/health").json();
        assertThat(health.path("status").asString()).isEqualTo("UP");
        assertThat(health.path("components").path("db").path("status").asString())
                .isEqualTo("UP");
    }

    @Test
    void metersCountWhatRowlockDoes() {
        long wallet = service.wallet(1);
        service.post("/wallets/" + wallet + "/charges", "{\"amount\":2}").isProblem(409, "insufficient-funds");
        service.post("/transfers", "{\"from\":%d,\"to\":%d,\"amount\":1}".formatted(wallet, service.wallet(1)));

        assertThat(service.get("/actuator/prometheus").body())
                .containsPattern("rowlock_conflicts_total\\{kind=\"refused\",table=\"wallet\"} [1-9]")
                .containsPattern("rowlock_units_seconds_count\\{outcome=\"committed\"} [1-9]")
                .containsPattern("rowlock_lock_hold_seconds_count\\{outcome=\"committed\"} [1-9]")
                .containsPattern(
                        "rowlock_lock_wait_seconds_count\\{granted=\"true\",strength=\"no-key-update\",table=\"wallet\"} [1-9]")
                .containsPattern("rowlock_counter_requests_total\\{counter=\"balance\"} [1-9]")
                .contains("rowlock_counter_waiting{counter=\"stock\"} 0.0")
                .contains("rowlock_attempts_failed_total{sqlstate=\"40P01\"} ")
                .contains("rowlock_commit_checks_total{outcome=\"unknown\"} 0.0")
                .contains("rowlock_after_commit_failures_total 0.0");
    }

    @Test
    void everyOperationIsDescribedWithItsAnswers() {
        JsonNode paths = service.get("/v3/api-docs").json("paths");
        Set<String> operations = new TreeSet<>();
        paths.properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(operation -> operations.add(operation.getKey() + " " + path.getKey())));
        assertThat(operations)
                .containsExactlyInAnyOrder(
                        "post /wallets",
                        "get /wallets/{id}",
                        "post /wallets/{id}/charges",
                        "post /transfers",
                        "post /products",
                        "get /products/{id}",
                        "put /products/{id}",
                        "patch /products/{id}",
                        "post /products/{id}/reservations",
                        "post /orders",
                        "get /orders/{id}",
                        "post /tenants",
                        "get /tenants/{id}",
                        "delete /tenants/{id}",
                        "get /tenants/{id}/children",
                        "post /tenants/{id}/move",
                        "get /jobs",
                        "post /jobs/{id}/requeue");
        hasAnswers(paths, "/wallets", "post", "201", "400", "406", "413", "415", "500", "503");
        hasAnswers(paths, "/wallets/{id}", "get", "200", "400", "404", "406", "500", "503");
        hasAnswers(paths, "/transfers", "post", "200", "400", "404", "406", "409", "413", "415", "422", "500", "503");
        hasAnswers(paths, "/products/{id}", "get", "200", "304", "400", "404", "406", "412", "500", "503");
        hasAnswers(
                paths, "/products/{id}", "put", "200", "400", "404", "406", "412", "413", "415", "428", "500", "503");
        hasAnswers(
                paths,
                "/products/{id}/reservations",
                "post",
                "201",
                "400",
                "404",
                "406",
                "409",
                "413",
                "415",
                "422",
                "500",
                "503");
        hasAnswers(paths, "/orders", "post", "201", "400", "404", "406", "409", "413", "415", "422", "500", "503");
        hasAnswers(paths, "/tenants", "post", "201", "400", "404", "406", "409", "413", "415", "500", "503");
        hasAnswers(paths, "/tenants/{id}", "delete", "204", "400", "404", "406", "409", "500", "503");
        hasAnswers(paths, "/jobs/{id}/requeue", "post", "200", "400", "404", "406", "409", "500", "503");
        assertThat(paths.path("/orders").path("post").path("parameters").toString())
                .contains("\"name\":\"Idempotency-Key\"", "\"required\":true");
    }

    private static void hasAnswers(JsonNode paths, String path, String method, String... statuses) {
        JsonNode answers = paths.path(path).path(method).path("responses");
        assertThat(answers.propertyNames()).containsExactlyInAnyOrder(statuses);
        List.of(statuses).stream()
                .filter(status -> status.compareTo("400") >= 0)
                .forEach(status -> {
                    JsonNode answer = answers.path(status);
                    assertThat(answer.path("description").asString()).contains("urn:rowlock:problem:");
                    assertThat(answer.path("content").propertyNames()).containsExactly("application/problem+json");
                });
    }

    @Test
    void descriptionTellsTheBoundsOfRequests() {
        JsonNode schemas = service.get("/v3/api-docs").json("components").path("schemas");
        JsonNode amount = schemas.path("Charge").path("properties").path("amount");
        assertThat(amount.path("minimum").asLong()).isEqualTo(1);
        assertThat(amount.path("maximum").asLong()).isEqualTo(9_007_199_254_740_991L);
        assertThat(schemas.path("Charge").path("required").toString()).isEqualTo("[\"amount\"]");
        assertThat(schemas.path("ProductData")
                        .path("properties")
                        .path("name")
                        .path("maxLength")
                        .asInt())
                .isEqualTo(200);
        assertThat(schemas.path("ProductPatch").path("required").toString()).isEqualTo("[\"version\"]");
        assertThat(schemas.path("Problem").path("properties").propertyNames()).contains("type", "errors");
    }
}
