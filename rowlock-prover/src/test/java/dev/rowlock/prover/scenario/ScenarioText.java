package dev.rowlock.prover.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes a scenario back as the tokens of its file, every name in quotes. */
final class ScenarioText {
    private final List<String> tokens = new ArrayList<>();

    private ScenarioText() {}

    static String of(Scenario scenario) {
        return String.join("\n", tokens(scenario)) + "\n";
    }

    static List<String> tokens(Scenario scenario) {
        ScenarioText text = new ScenarioText();
        scenario.setups().forEach(setup -> text.add("setup", block(setup)));
        text.addBlock("teardown", scenario.teardown());
        scenario.sessions().forEach(text::addSession);
        scenario.permutations().forEach(text::addPermutation);
        scenario.invariants().forEach(i -> text.add("invariant", quoted(i.text()), block(i.sql())));
        scenario.ignored().forEach(text::addIgnored);
        if (scenario.observe() == Observation.DATA) {
            text.add("observe", "data");
        }
        return text.tokens;
    }

    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private void addSession(SessionSpec session) {
        add("session", quoted(session.name()));
        if (session.transaction()) {
            add("transaction");
        }
        session.isolation().ifPresent(level -> add("isolation", quoted(level.sql())));
        if (session.attempts() > 1) {
            add("retry", String.valueOf(session.attempts()));
        }
        addBlock("setup", session.setup());
        session.steps().forEach(this::addStep);
        addBlock("teardown", session.teardown());
    }

    private void addStep(StepSpec step) {
        add("step", quoted(step.name()));
        if (!step.into().isEmpty()) {
            add("into", step.into().stream().map(ScenarioText::quoted).collect(Collectors.joining(",")));
        }
        addBlock("when", step.when());
        step.expectRows().ifPresent(rows -> add("expect", String.valueOf(rows), "rows"));
        add(block(step.sql()));
    }

    private void addPermutation(PermutationSpec permutation) {
        add("permutation");
        for (PermutationStep step : permutation.steps()) {
            add(quoted(step.step()));
            for (int i = 0; i < step.blockers().size(); i++) {
                add(i == 0 ? "(" : ",");
                addBlocker(step.blockers().get(i));
            }
            if (!step.blockers().isEmpty()) {
                add(")");
            }
        }
    }

    private void addBlocker(Blocker blocker) {
        if (blocker instanceof Blocker.Step other) {
            add(quoted(other.step()));
        } else if (blocker instanceof Blocker.Notices notices) {
            add(quoted(notices.step()), "notices", String.valueOf(notices.count()));
        } else {
            add("*");
        }
    }

    private void addIgnored(ColumnRef column) {
        String schema = column.schema().map(name -> quoted(name) + ".").orElse("");
        add("ignore", schema + quoted(column.table()) + "." + quoted(column.column()));
    }

    private void addBlock(String word, Optional<SqlBlock> block) {
        block.ifPresent(sql -> add(word, block(sql)));
    }

    private void add(String... more) {
        tokens.addAll(List.of(more));
    }

    private static String block(SqlBlock block) {
        return "{" + block.text() + "}";
    }
}
