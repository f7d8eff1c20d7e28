package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code rowlock prove} as a user meets it: what it prints and the status it ends with. */
class ProveIT {
    private static final Path EXAMPLES = Path.of("../examples");

    @TempDir
    private Path temp;

    private record Outcome(int status, String stdout, String stderr) {}

    @Test
    void eachExampleSaysByItsNameWhatComesOfItAndBadSchedulesAreDrawn() {
        Outcome outcome = prove(EXAMPLES.toString());

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.stdout())
                .contains("wallet-double-charge-broken.race: violated, a read wallet id=1 as 100; b changed it and")
                .contains("40P01")
                .as("neither colours nor a bar in a pipe")
                .doesNotContain("\u001b", "\r");
        assertThat(outcome.stdout().lines().filter(line -> line.matches(".*\\.race +(proved|violated|undecided) .*")))
                .hasSizeGreaterThanOrEqualTo(20)
                .allMatch(row -> row.matches(".*-broken\\.race +violated .*|.*-fixed\\.race +proved .*"));
    }

    @Test
    void signalLeavesNothingOnAServerOfSomebodyElse() throws IOException {
        Path endless = Files.writeString(temp.resolve("endless.race"), """
                setup { CREATE TABLE t (n int); INSERT INTO t VALUES (0); }
                session a step a1 { UPDATE t SET n = 1; } step a2 { UPDATE t SET n = 2; } step a3 { UPDATE t SET n = 3; }
                session b step b1 { UPDATE t SET n = 4; } step b2 { UPDATE t SET n = 5; } step b3 { UPDATE t SET n = 6; }
                session c step c1 { UPDATE t SET n = 7; } step c2 { UPDATE t SET n = 8; } step c3 { UPDATE t SET n = 9; }
                session d step d1 { UPDATE t SET n = 7; } step d2 { UPDATE t SET n = 8; } step d3 { UPDATE t SET n = 9; }
                """);
        String tables = "SELECT 1 FROM pg_tables WHERE schemaname = 'rowlock_prove'";
        try (ServerProcess program =
                ServerProcess.launch(Map.of(), "prove", "--url", TestPostgres.url(), endless.toString())) {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> !TestPostgres.ask(tables).isEmpty());

            assertThat(program.terminate()).isEqualTo(128 + 15);

            // The program may be gone before it can say so.
            assertThat(program.stderr()).isIn("", "rowlock: stopped before the end" + System.lineSeparator());
        }
        assertThat(TestPostgres.ask("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'rowlock%'"))
                .isEmpty();
        assertThat(TestPostgres.ask("SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'rowlock prove%'"))
                .isEmpty();
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
    void findingsAreWrittenAsAPage() {
        Path file = temp.resolve("findings.html");

        prove("--html", file.toString(), example("last-unit-fixed"));

        assertThat(file).content().startsWith("<!DOCTYPE html>").contains("last-unit-fixed.race", "1 proved");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--json", "--html"})
    void placeForTheFindingsIsLookedAtFirst(String option) {
        Outcome outcome = prove(option, temp.resolve("no/such/folder").toString(), example("last-unit-fixed"));

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.stdout()).isEmpty();
        assertThat(outcome.stderr()).contains(option).hasLineCount(1);
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
