package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code prove} with {@code --replay}, {@code --what-if} and {@code --no-reduction}. */
class ProveFlagsTest {
    private static final String BROKEN = "../examples/wallet-double-charge-broken.race";
    private static final String FIXED = "../examples/wallet-double-charge-fixed.race";
    private static final String COMMIT_A_FIRST = "read_a charge_a commit(a) read_b charge_b commit(b)";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path temp;

    private int prove(String... arguments) {
        List<String> all = new ArrayList<>(List.of("prove", "--url", TestPostgres.url()));
        all.addAll(List.of(arguments));
        return RowlockCommand.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
    }

    private JsonNode proveToJson(String... arguments) throws IOException {
        Path file = temp.resolve("findings.json");
        List<String> all = new ArrayList<>(List.of("--json", file.toString()));
        all.addAll(List.of(arguments));
        prove(all.toArray(String[]::new));
        assertThat(err.toString()).isEmpty();
        return new JsonMapper().readTree(Files.readString(file));
    }

    @Test
    void goodScheduleIsDrawnWithItsOutcomeAndUndecided() {
        assertThat(prove("--replay", COMMIT_A_FIRST, BROKEN)).as(err.toString()).isEqualTo(3);

        assertThat(out.toString())
                .contains("undecided, only the given schedule was run")
                .contains("read_a: SELECT balance FROM wallet WHERE id = 1", "-> 100", "-> 20")
                .contains("schedule: " + COMMIT_A_FIRST)
                .containsSubsequence("outcome, which a serial order has too:", "a committed", "wallet: (1,20)");
    }

    @Test
    void badScheduleIsDrawnWithItsOutcomeAndViolated() {
        assertThat(prove("--replay", "read_a read_b", BROKEN))
                .as(err.toString())
                .isEqualTo(1);

        assertThat(out.toString())
                .contains(BROKEN + ": violated, ")
                .contains("schedule: read_a read_b charge_a commit(a) charge_b commit(b)")
                .contains("outcome, which no serial order has:");
    }

    @Test
    void scheduleOfTheJsonIsReplayedToTheSameAnomaly() throws IOException {
        JsonNode found = proveToJson(BROKEN).get(0);

        JsonNode again = proveToJson("--replay", found.get("schedule").asString(), BROKEN)
                .get(0);

        for (String member : List.of("verdict", "anomaly", "reasons", "schedule", "trace")) {
            assertThat(again.get(member)).as(member).isEqualTo(found.get(member));
        }
        assertThat(again.get("schedules").asInt()).isEqualTo(1);
        assertThat(again.get("exhaustive").asBoolean()).isFalse();
    }

    @Test
    void goodReplayHasAScheduleAndATraceInTheJson() throws IOException {
        JsonNode found = proveToJson("--replay", COMMIT_A_FIRST, BROKEN).get(0);

        assertThat(found.get("schedule").asString()).isEqualTo(COMMIT_A_FIRST);
        assertThat(found.get("trace").size()).isEqualTo(6);
        assertThat(found.get("anomaly").isNull()).isTrue();
    }

    @Test
    void replayNeedsExactlyOneScenario() {
        assertThat(prove("--replay", "read_a", BROKEN, FIXED)).isEqualTo(2);

        assertThat(err.toString())
                .contains("--replay needs exactly one scenario, and here are 2")
                .hasLineCount(1);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void stepsThatThereAreNotAreNamedWithThoseThatThereAre() {
        assertThat(prove("--replay", "read_a raed_b commit(c)", BROKEN)).isEqualTo(2);

        assertThat(err.toString())
                .contains(
                        "has no step raed_b commit(c); its steps are read_a charge_a commit(a) read_b charge_b commit(b)")
                .hasLineCount(1);
    }

    @Test
    void replayOfNothingIsRefused() {
        assertThat(prove("--replay", " ", BROKEN)).isEqualTo(2);

        assertThat(err.toString()).contains("--replay names no step");
    }

    @Test
    void replayAndWhatIfExcludeEachOther() {
        assertThat(prove("--what-if", "--replay", "read_a", BROKEN)).isEqualTo(2);

        assertThat(err.toString()).contains("--what-if and --replay exclude each other");
    }

    @Test
    void remediesAreTriedAgainstWhatIsViolatedOnly() {
        assertThat(prove("--what-if", BROKEN, FIXED)).as(err.toString()).isEqualTo(1);

        assertThat(out.toString())
                .containsSubsequence(
                        BROKEN + ": violated",
                        "what if",
                        "FOR NO KEY UPDATE on read_a, read_b",
                        "FOR UPDATE on read_a, read_b",
                        "REPEATABLE READ",
                        "the caller must retry what is aborted",
                        "FOR SHARE on read_a, read_b",
                        "deadlock",
                        FIXED + ": no bad schedule was found, so --what-if tries nothing");
    }

    @Test
    void readmeShowsWhatTheRemediesCost() throws IOException {
        String readme = Files.readString(Path.of("../README.md")).replace("\r\n", "\n");
        String command = "./rowlock prove --what-if " + BROKEN.replace("../", "") + "\n";
        assertThat(readme).contains(command);
        String shown = readme.split(command, -1)[1].split("```\n", -1)[2];

        prove("--what-if", BROKEN);

        assertThat(shown).startsWith("what if");
        assertThat(out.toString()).contains("\n" + shown.indent(2) + "\n");
    }

    @Test
    void remediesAreAMemberOfTheJsonWhereAskedFor() throws IOException {
        JsonNode asked = proveToJson("--what-if", BROKEN, FIXED);
        JsonNode notAsked = proveToJson(FIXED);

        JsonNode best = asked.get(0).get("whatIf").get(0);
        assertThat(best.propertyNames())
                .containsExactly("remedy", "verdict", "schedules", "waits", "aborted", "deadlocks", "reasons");
        assertThat(best.get("remedy").asString()).isEqualTo("FOR NO KEY UPDATE on read_a, read_b");
        assertThat(best.get("verdict").asString()).isEqualTo("proved");
        assertThat(best.get("waits").asInt())
                .isPositive()
                .isLessThan(best.get("schedules").asInt());
        assertThat(best.get("reasons").isEmpty()).isTrue();
        assertThat(asked.get(1).get("whatIf").isEmpty()).isTrue();
        assertThat(notAsked.get(0).has("whatIf")).isFalse();
    }

    @Test
    void withoutReductionEverySchedulePossibleIsRun() throws IOException {
        int reduced = proveToJson(BROKEN).get(0).get("schedules").asInt();
        int all = proveToJson("--no-reduction", BROKEN).get(0).get("schedules").asInt();

        assertThat(reduced).isLessThan(all);
    }
}
