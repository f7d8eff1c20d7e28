package dev.rowlock.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An HTTP answer, and what tests ask of it. */
record Answer(HttpResponse<String> response) {
    private static final JsonMapper JSON = new JsonMapper();

    int status() {
        return response.statusCode();
    }

    String body() {
        return response.body();
    }

    String header(String name) {
        return response.headers().firstValue(name).orElse("");
    }

    JsonNode json() {
        return JSON.readTree(body());
    }

    /** The member, or a missing node. */
    JsonNode json(String member) {
        return json().path(member);
    }

    long number(String member) {
        JsonNode node = json(member);
        assertThat(node.isIntegralNumber()).as(member + " in " + body()).isTrue();
        return node.asLong();
    }

    /** The status and exactly this JSON. */
    Answer is(int status, String json) {
        assertThat(status()).as(body()).isEqualTo(status);
        assertThat(header("Content-Type")).isEqualTo("application/json");
        assertThat(json()).isEqualTo(JSON.readTree(json));
        return this;
    }

    /** Problem details of this status and type, complete, and with nothing of the program's inside. */
    Answer isProblem(int status, String type) {
        assertThat(status()).as(body()).isEqualTo(status);
        assertThat(header("Content-Type")).startsWith("application/problem+json");
        assertThat(json("type").asString()).isEqualTo("urn:rowlock:problem:" + type);
        assertThat(number("status")).isEqualTo(status);
        assertThat(json("title").asString()).isNotBlank();
        assertThat(json("detail").asString()).isNotBlank();
        return tellsNothingOfTheInside();
    }

    Answer tellsNothingOfTheInside() {
        assertThat(body().toLowerCase(Locale.ROOT))
                .doesNotContain(
                        "exception",
                        "dev.rowlock",
                        "java.",
                        "org.",
                        "tools.jackson",
                        "\\tat ",
                        "\tat ",
                        "sql",
                        "tomcat");
        return this;
    }

    /** A 400 that names exactly these fields. */
    Answer isInvalid(String... fields) {
        isProblem(400, "invalid-request");
        List<String> named = json("errors")
                .valueStream()
                .map(error -> error.path("field").asString())
                .toList();
        assertThat(named).as(body()).containsExactlyInAnyOrder(fields);
        json("errors")
                .forEach(error -> assertThat(error.path("message").asString()).isNotBlank());
        return this;
    }

    String message(int index) {
        return json("errors").path(index).path("message").asString();
    }
}
