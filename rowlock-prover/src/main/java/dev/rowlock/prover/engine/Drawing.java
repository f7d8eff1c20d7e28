package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.ActorResult.StepResult;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Draws a schedule for people: one column for each actor, time downwards, what was read, and who had to wait. */
public final class Drawing {
    private static final int WIDEST = 46;
    private static final int GAP = 2;

    private Drawing() {}

    /** The lines of the drawing, without line ends. */
    public static List<String> of(List<String> actors, Execution execution) {
        List<StepResult> results = execution.inOrder();
        List<List<String>> cells = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            cells.add(cell(execution.steps().get(i), results.get(i), actors));
        }
        int width = Math.min(
                WIDEST,
                Math.max(
                        longest(actors),
                        cells.stream().mapToInt(Drawing::longest).max().orElse(0)));
        List<String> lines = new ArrayList<>();
        StringBuilder head = new StringBuilder();
        actors.forEach(actor -> head.append(padded(actor, width)));
        lines.add(head.toString().stripTrailing());
        lines.add("-".repeat(actors.size() * (width + GAP) - GAP));
        for (int i = 0; i < cells.size(); i++) {
            String indent = " ".repeat(execution.steps().get(i).actor() * (width + GAP));
            cells.get(i).forEach(line -> lines.add(indent + shortened(line, width)));
        }
        return lines;
    }

    private static List<String> cell(Execution.Step step, StepResult result, List<String> actors) {
        List<String> lines = new ArrayList<>();
        String sql = result.sql().strip().replaceAll("\\s+", " ");
        lines.add(step.name() + (sql.isEmpty() ? "" : ": " + sql));
        if (!step.waitsFor().isEmpty()) {
            lines.add("  waits for "
                    + step.waitsFor().stream().sorted().map(actors::get).collect(Collectors.joining(", ")));
        }
        result.rows().forEach(row -> lines.add("  -> " + String.join(" | ", row)));
        result.error().ifPresent(error -> lines.add("  !! " + error));
        return lines;
    }

    private static int longest(List<String> lines) {
        return lines.stream().mapToInt(String::length).max().orElse(0);
    }

    private static String padded(String text, int width) {
        String cut = shortened(text, width);
        return cut + " ".repeat(width - cut.length() + GAP);
    }

    private static String shortened(String text, int width) {
        return text.length() <= width ? text : text.substring(0, width - 1) + "…";
    }
}
