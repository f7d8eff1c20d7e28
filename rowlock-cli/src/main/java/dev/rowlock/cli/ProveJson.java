package dev.rowlock.cli;

import dev.rowlock.prover.engine.ActorResult.StepResult;
import dev.rowlock.prover.engine.Execution;
import dev.rowlock.prover.engine.Remedy;
import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.engine.Verdict;
import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.SqlBlock;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The findings as a JSON array, one object for each scenario; names and meanings of its members do not change. */
final class ProveJson implements Findings {
    private final JsonMapper json =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private final List<ObjectNode> all = new ArrayList<>();
    private final String server;
    private final String isolation;

    /**
     * Begins an empty array.
     *
     * @param server its version
     * @param isolation the level asked for, or {@code as-written}
     */
    ProveJson(String server, String isolation) {
        this.server = server;
        this.isolation = isolation;
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

    record Tried(
            String remedy,
            String verdict,
            long schedules,
            long waits,
            long aborted,
            long deadlocks,
            List<String> reasons) {}

    @Override
    public void add(Scenario scenario, Report report, long millis) {
        Optional<Verdict.Violated> violated =
                report.verdict() instanceof Verdict.Violated v ? Optional.of(v) : Optional.empty();
        add(new Found(
                scenario.name(),
                ProveOutput.word(report.verdict()),
                reasons(report.verdict()),
                isolation,
                report.schedules(),
                report.interleavings().orElse(null),
                report.exhaustive(),
                report.violating(),
                report.aborted(),
                report.deadlocks(),
                report.outcomes(),
                violated.map(v -> v.anomaly().word()).orElse(null),
                report.shown().map(Execution::schedule).orElse(null),
                report.shown().map(execution -> trace(scenario, execution)).orElse(List.of()),
                millis,
                server,
                hash(scenario)));
    }

    @Override
    public void addUndecided(Scenario scenario, String reason, long millis) {
        add(new Found(
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

    private void add(Found found) {
        all.add(json.valueToTree(found));
    }

    /** The member is there only where remedies were asked for. */
    @Override
    public void addRemedies(Scenario scenario, List<Remedy> remedies) {
        all.get(all.size() - 1)
                .set(
                        "whatIf",
                        json.valueToTree(remedies.stream().map(ProveJson::tried).toList()));
    }

    private static Tried tried(Remedy remedy) {
        if (remedy instanceof Remedy.Impossible impossible) {
            return new Tried(impossible.name(), RemedyRow.IMPOSSIBLE, 0, 0, 0, 0, impossible.reasons());
        }
        Report report = ((Remedy.Tried) remedy).report();
        return new Tried(
                remedy.name(),
                ProveOutput.word(report.verdict()),
                report.schedules(),
                report.waits(),
                report.aborted(),
                report.deadlocks(),
                reasons(report.verdict()));
    }

    private static List<String> reasons(Verdict verdict) {
        if (verdict instanceof Verdict.Undecided undecided) {
            return undecided.reasons();
        }
        return verdict instanceof Verdict.Violated violated ? List.of(violated.why()) : List.of();
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

    /** The array as text. */
    String text() {
        return json.writeValueAsString(all) + "\n";
    }
}
