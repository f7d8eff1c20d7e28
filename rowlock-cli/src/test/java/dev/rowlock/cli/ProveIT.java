package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code rowlock prove} as a user meets it: what it prints and the status it ends with. */
class ProveIT {
    private static final Path EXAMPLES = Path.of("../examples");

    @TempDir
    private Path temp;

    private record Outcome(int status, String stdout, String stderr) {}

    @Test
    void folderWithABrokenScenarioEndsWithOneAndDrawsTheBadSchedule() {
        Outcome outcome = prove(EXAMPLES.toString());

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.stdout())
                .contains("wallet-double-charge-broken.race: violated, no serial order comes to this outcome")
                .contains("40P01")
                .containsPattern("wallet-double-charge-fixed.race +proved")
                .containsPattern("opposite-transfers-broken.race +violated");
        assertThat(outcome.stderr()).isEmpty();
    }

    @Test
    void provedScenariosEndWithZero() {
        Outcome outcome = prove(example("wallet-double-charge-fixed"), example("last-unit-fixed"));

        assertThat(outcome.status()).isZero();
        assertThat(outcome.stdout().lines()).hasSize(3);
    }

    @Test
    void findingsAreWrittenAsJson() throws IOException {
        Path file = temp.resolve("findings.json");

        prove("--json", file.toString(), example("opposite-transfers-broken"), example("last-unit-fixed"));

        JsonNode findings = new JsonMapper().readTree(Files.readString(file));
        assertThat(findings.size()).isEqualTo(2);
        JsonNode broken = findings.get(0);
        assertThat(broken.get("verdict").asString()).isEqualTo("violated");
        assertThat(broken.get("anomaly").asString()).isEqualTo("deadlock");
        assertThat(broken.get("interleavings").asInt()).isEqualTo(20);
        assertThat(broken.get("exhaustive").asBoolean()).isTrue();
        assertThat(broken.get("server").asString()).startsWith("PostgreSQL ");
        assertThat(broken.get("schemaHash").asString()).hasSize(64);
        assertThat(broken.get("schedule").asString()).contains("take_1", "take_2");
        assertThat(broken.get("trace").valueStream())
                .anySatisfy(step -> assertThat(step.get("waitsFor").size()).isEqualTo(1))
                .anySatisfy(step -> assertThat(step.get("result").asString()).startsWith("40P01"));
        JsonNode fixed = findings.get(1);
        assertThat(fixed.get("verdict").asString()).isEqualTo("proved");
        assertThat(fixed.get("anomaly").isNull()).isTrue();
        assertThat(fixed.get("outcomes").get(0).get("serial").asBoolean()).isTrue();
    }

    @Test
    void placeForTheFindingsIsLookedAtFirst() {
        Outcome outcome = prove("--json", temp.resolve("no/such/folder.json").toString(), example("last-unit-fixed"));

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.stdout()).isEmpty();
        assertThat(outcome.stderr()).contains("--json").hasLineCount(1);
    }

    @Test
    void usedUpBudgetEndsWithThree() {
        Outcome outcome = prove("--max-schedules", "2", example("last-unit-fixed"));

        assertThat(outcome.status()).isEqualTo(3);
        assertThat(outcome.stdout()).contains("undecided, the budget of 2 schedules is used up");
    }

    @Test
    void everyWrongFileIsToldWithItsPlaceBeforeAnythingIsRun() throws IOException {
        Path wrong = Files.writeString(temp.resolve("wrong.race"), "session a\nstep s { SELECT 1;\n");
        Path missing = temp.resolve("missing.race");

        Outcome outcome = prove(wrong.toString(), missing.toString(), example("last-unit-fixed"));

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.stdout()).isEmpty();
        assertThat(outcome.stderr()).contains(wrong + ":2:8:", missing.toString());
    }

    @Test
    void levelOfTheCommandLineOverridesTheFile() {
        Outcome outcome = prove("--isolation", "serializable", example("wallet-double-charge-broken"));

        assertThat(outcome.status()).isZero();
        assertThat(outcome.stdout()).containsPattern("wallet-double-charge-broken.race +proved");
    }

    private static String example(String name) {
        return EXAMPLES.resolve(name + ".race").toString();
    }

    private static Outcome prove(String... arguments) {
        List<String> all = new ArrayList<>(List.of("prove"));
        all.addAll(List.of(arguments));
        try (ServerProcess program = ServerProcess.launch(Map.of(), all.toArray(String[]::new))) {
            return new Outcome(program.exitStatus(), program.stdout(), program.stderr());
        }
    }
}
