package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The members of the findings are a contract: their names, their order and what stands for "not known". */
class ProveJsonTest {
    private static JsonNode findings() {
        ProveJson json = new ProveJson("PostgreSQL 18.4", "serializable");
        json.add(ProveSamples.scenario("x.race"), ProveSamples.violated(), 1234);
        json.addUndecided(ProveSamples.scenario("y.race"), "no server", 5);
        return new JsonMapper().readTree(json.text());
    }

    @Test
    void violatedOneHasItsTrace() {
        JsonNode violated = findings().get(0);

        assertThat(violated.propertyNames())
                .containsExactly(
                        "scenario",
                        "verdict",
                        "reasons",
                        "isolation",
                        "schedules",
                        "interleavings",
                        "exhaustive",
                        "violating",
                        "aborted",
                        "deadlocks",
                        "outcomes",
                        "anomaly",
                        "schedule",
                        "trace",
                        "millis",
                        "server",
                        "schemaHash");
        assertThat(violated.get("schedule").asString()).isEqualTo("rb ra");
        assertThat(violated.get("trace").get(0).toString())
                .isEqualTo("{\"actor\":\"b\",\"step\":\"rb\",\"sql\":\"UPDATE t\",\"result\":\"[]\","
                        + "\"waitsFor\":[\"a\"]}");
        assertThat(violated.get("outcomes").get(0).propertyNames())
                .containsExactly("outcome", "count", "serial", "violates");
    }

    @Test
    void oneThatCannotBeRunHasTheSameMembersAndSaysWhy() {
        JsonNode undecided = findings().get(1);

        assertThat(undecided.propertyNames())
                .containsExactlyElementsOf(findings().get(0).propertyNames());
        assertThat(undecided.get("verdict").asString()).isEqualTo("undecided");
        assertThat(undecided.get("reasons").toString()).isEqualTo("[\"no server\"]");
        assertThat(undecided.get("exhaustive").asBoolean()).isFalse();
        assertThat(undecided.get("interleavings").isNull()).isTrue();
        assertThat(undecided.get("anomaly").isNull()).isTrue();
        assertThat(undecided.get("trace").isEmpty()).isTrue();
        assertThat(undecided.get("isolation").asString()).isEqualTo("serializable");
    }
}
