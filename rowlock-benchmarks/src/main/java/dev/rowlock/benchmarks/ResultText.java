package dev.rowlock.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** One contest's result in lines, as a terminal and a page of text have them. */
final class ResultText {
    private static final List<String> HEADS = List.of(
            "",
            "operations/s",
            "p50 ms",
            "p99 ms",
            "commits/op",
            "WAL bytes/op",
            "server CPU us/op",
            "client CPU us/op");

    private final Contest.Result result;

    ResultText(Contest.Result result) {
        this.result = result;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add(result.number() + ". " + result.title());
        List<List<String>> table = table();
        int[] widths = new int[HEADS.size()];
        for (List<String> row : table) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : table) {
            StringBuilder line = new StringBuilder("  ");
            for (int i = 0; i < widths.length; i++) {
                String blanks = " ".repeat(widths[i] - row.get(i).length());
                line.append(i == 0 ? row.get(i) + blanks : "  " + blanks + row.get(i));
            }
            lines.add(line.toString().stripTrailing());
        }
        result.comparisons().forEach(comparison -> lines.add("  " + words(comparison)));
        result.notes().forEach(note -> lines.add("  " + note));
        return lines;
    }

    /** Medians of all trials, the first row being the heads. */
    List<List<String>> table() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADS);
        result.trials().forEach((name, trials) -> rows.add(row(name, trials)));
        return rows;
    }

    private static List<String> row(String name, List<Trial> trials) {
        String wrong = trials.stream()
                .map(Trial::wrong)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        return wrong != null
                ? List.of(name, "void", "", "", "", "", "", "")
                : List.of(
                        name,
                        number(trials, Trial::perSecond, 0),
                        number(trials, trial -> trial.p50Micros() / 1000, 2),
                        number(trials, trial -> trial.p99Micros() / 1000, 2),
                        number(trials, trial -> trial.use().commits(), 3),
                        number(trials, trial -> trial.use().walBytes(), 0),
                        number(trials, trial -> trial.use().serverCpuNanos() / 1000, 0),
                        number(trials, trial -> trial.use().clientCpuNanos() / 1000, 0));
    }

    private static String number(List<Trial> trials, ToDoubleFunction<Trial> figure, int digits) {
        double median = median(trials, figure);
        return Double.isNaN(median) ? "-" : String.format(Locale.ROOT, "%,." + digits + "f", median);
    }

    static double median(List<Trial> trials, ToDoubleFunction<Trial> figure) {
        return Spread.of(trials.stream().map(figure::applyAsDouble).toList()).median();
    }

    static String words(Comparison comparison) {
        Spread ratio = comparison.ratio();
        String bound = (comparison.atLeast() ? "at least " : "at most ")
                + String.format(Locale.ROOT, "%.2f", comparison.target()).replaceFirst("\\.?0+$", "") + "x";
        return comparison.what() + ": "
                + (ratio == null
                        ? "void: " + why(comparison.why())
                        : ratio.asRatio() + ", wanted " + bound + ": "
                                + (comparison.met().orElse(false) ? "met" : "missed"));
    }

    private static String why(@Nullable String reason) {
        return reason == null ? "no reason was given" : reason;
    }
}
