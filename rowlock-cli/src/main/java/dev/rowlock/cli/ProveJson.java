package dev.rowlock.cli;

import dev.rowlock.prover.engine.ActorResult.StepResult;
import dev.rowlock.prover.engine.Execution;
import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.SqlBlock;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The findings as a JSON array, one object for each scenario; names and meanings of its members do not change. */
final class ProveJson {
    private final List<Found> all = new ArrayList<>();
    private final String server;
    private final String isolation;

    /**
     * Begins an empty array.
     *
     * @param server its version
     * @param isolation the level asked for, or empty for that of the files
     */
    ProveJson(String server, Optional<String> isolation) {
        this.server = server;
        this.isolation = isolation.orElse("as-written");
    }

    record Found(
            String scenario,
            String verdict,
            List<String> reasons,
            String isolation,
            long schedules,
            @Nullable BigInteger interleavings,
            boolean exhaustive,
            long violating,
            long aborted,
            long deadlocks,
            List<Report.Counted> outcomes,
            @Nullable String anomaly,
            @Nullable String schedule,
            List<Traced> trace,
            long millis,
            String server,
            String schemaHash) {}

    record Traced(String actor, String step, String sql, String result, List<String> waitsFor) {}

    void add(Scenario scenario, Report report, long millis) {
        Optional<Verdict.Violated> violated =
                report.verdict() instanceof Verdict.Violated v ? Optional.of(v) : Optional.empty();
        List<String> reasons = report.verdict() instanceof Verdict.Undecided undecided
                ? undecided.reasons()
                : violated.map(v -> List.of(v.why())).orElse(List.of());
        all.add(new Found(
                scenario.name(),
                ProveOutput.word(report.verdict()),
                reasons,
                isolation,
                report.schedules(),
                report.interleavings().orElse(null),
                report.exhaustive(),
                report.violating(),
                report.aborted(),
                report.deadlocks(),
                report.outcomes(),
                violated.map(v -> v.anomaly().word()).orElse(null),
                violated.map(v -> v.execution().schedule()).orElse(null),
                violated.map(v -> trace(scenario, v.execution())).orElse(List.of()),
                millis,
                server,
                hash(scenario)));
    }

    void addUndecided(Scenario scenario, String reason, long millis) {
        all.add(new Found(
                scenario.name(),
                "undecided",
                List.of(reason),
                isolation,
                0,
                null,
                false,
                0,
                0,
                0,
                List.of(),
                null,
                null,
                List.of(),
                millis,
                server,
                hash(scenario)));
    }

    private static List<Traced> trace(Scenario scenario, Execution execution) {
        List<StepResult> results = execution.inOrder();
        List<Traced> trace = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            Execution.Step step = execution.steps().get(i);
            StepResult result = results.get(i);
            trace.add(new Traced(
                    scenario.sessions().get(step.actor()).name(),
                    step.name(),
                    result.sql().strip(),
                    result.sql().isEmpty()
                            ? ""
                            : result.error().orElse(result.rows().toString()),
                    step.waitsFor().stream()
                            .sorted()
                            .map(number -> scenario.sessions().get(number).name())
                            .toList()));
        }
        return trace;
    }

    /** Of what the scenario builds its data with: the same hash, the same beginning. */
    private static String hash(Scenario scenario) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (SqlBlock setup : scenario.setups()) {
                digest.update(setup.text().getBytes(StandardCharsets.UTF_8));
                digest.update((byte) 0);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }

    /** Writes the file as a whole or not at all. */
    void write(Path file) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        JsonMapper json =
                JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
        Files.writeString(temporary, json.writeValueAsString(all) + "\n");
        Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Refuses a place that cannot be written to before any work is done. */
    static void requireWritable(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder) || Files.isDirectory(file)) {
            throw new Refusal("--json " + file + ": this is not a file in a folder that can be written to");
        }
    }
}
