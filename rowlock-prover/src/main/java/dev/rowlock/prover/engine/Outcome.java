package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.ActorResult.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/**
 * What a schedule came to, in a form in which two that mean the same are equal: how the actors ended that did not abort, what they
 * read (rows of a step in any order), and the final data.
 */
record Outcome(String text) {

    /**
     * @param actors whose results count, by number; the others aborted and have left no trace
     */
    static Outcome of(RaceSpec race, Set<Integer> actors, Execution execution, Map<String, String> data) {
        StringJoiner text = new StringJoiner("\n");
        for (int i = 0; i < race.programs().size(); i++) {
            if (!actors.contains(i)) {
                continue;
            }
            ActorResult result = execution.results().get(i);
            text.add(race.programs().get(i).name() + " "
                    + (result.status() == Status.COMMITTED ? "committed" : "was rejected"));
            result.value().ifPresent(value -> text.add("  " + value));
            if (race.readsCount()) {
                for (ActorResult.StepResult step : result.steps()) {
                    step(step).forEach(text::add);
                }
            }
        }
        data.forEach((table, rows) -> text.add(table + ": " + rows.replace("\n", " ")));
        return new Outcome(text.toString());
    }

    private static List<String> step(ActorResult.StepResult step) {
        List<String> rows = new ArrayList<>();
        step.rows().forEach(row -> rows.add("  " + step.step() + " read " + row));
        rows.sort(null);
        return rows;
    }
}
