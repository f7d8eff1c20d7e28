package dev.rowlock.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes what was measured: every trial as JSON, and a page for readers with a chart for each contest. */
final class ResultFiles {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private ResultFiles() {}

    private record Everything(Environment environment, List<Contest.Result> contests) {}

    static void json(Path file, Environment environment, List<Contest.Result> results) throws IOException {
        Files.writeString(file, JSON.writeValueAsString(new Everything(environment, results)) + "\n");
    }

    static void page(Path folder, Environment environment, List<Contest.Result> results) throws IOException {
        Path charts = Files.createDirectories(folder.resolve("charts"));
        List<String> lines = new ArrayList<>();
        lines.add("# Performance");
        lines.add("");
        lines.add("Measured " + environment.date() + " with `./rowlock bench`: " + environment.words()
                + ". Medians; behind a ratio stand the lowest and the highest of the repeats. A ratio meets its target"
                + " only if the worse end of its spread does. Every number has had its result checked; CPU times are"
                + " those of all of the server's processes, and of the client's process.");
        for (Contest.Result result : results) {
            String chart = "bench-" + result.number() + ".svg";
            Files.writeString(charts.resolve(chart), new BarChart(result).svg());
            lines.add("");
            lines.add("## " + result.number() + ". " + result.title());
            lines.add("");
            lines.add("![" + result.title() + "](charts/" + chart + ")");
            lines.add("");
            List<List<String>> table = new ResultText(result).table();
            lines.add(markdown(table.get(0)));
            lines.add("|---|" + "---:|".repeat(table.get(0).size() - 1));
            table.subList(1, table.size()).forEach(row -> lines.add(markdown(row)));
            lines.add("");
            result.comparisons().forEach(comparison -> lines.add("- " + ResultText.words(comparison)));
            result.notes().forEach(note -> lines.add("- " + note));
        }
        Files.writeString(folder.resolve("performance.md"), String.join("\n", lines) + "\n");
    }

    private static String markdown(List<String> row) {
        return "| " + String.join(" | ", row) + " |";
    }
}
