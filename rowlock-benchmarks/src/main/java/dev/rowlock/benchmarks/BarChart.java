package dev.rowlock.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Operations a second of each entrant as bars, or its times where there are none, with the lowest and the highest of the repeats as a line; for light and dark pages. */
final class BarChart {
    private static final int WIDTH = 720;
    private static final int LABELS = 300;
    private static final int BAR = 18;
    private static final int STEP = 30;
    private static final int RIGHT = 90;

    private final Contest.Result result;

    BarChart(Contest.Result result) {
        this.result = result;
    }

    String svg() {
        int height = STEP * result.trials().size() + 12;
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
                WIDTH,
                height,
                escaped(result.title())));
        svg.append(
                "<style>text{font:13px sans-serif;fill:#24292f}rect{fill:#2f6feb}line{stroke:#57606a;stroke-width:2}"
                        + "@media (prefers-color-scheme:dark){text{fill:#c9d1d9}rect{fill:#58a6ff}line{stroke:#8b949e}}</style>\n");
        double most = result.trials().values().stream()
                .filter(BarChart::valid)
                .mapToDouble(trials -> spread(trials).highest())
                .max()
                .orElse(1);
        int y = 6;
        for (Map.Entry<String, List<Trial>> entrant : result.trials().entrySet()) {
            bar(svg, entrant.getKey(), entrant.getValue(), y, (WIDTH - LABELS - RIGHT) / most);
            y += STEP;
        }
        return svg.append("</svg>\n").toString();
    }

    private static void bar(StringBuilder svg, String name, List<Trial> trials, int y, double scale) {
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n",
                LABELS - 8,
                y + 14,
                escaped(name)));
        if (!valid(trials)) {
            svg.append(String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\">void</text>%n", LABELS, y + 14));
            return;
        }
        Spread spread = spread(trials);
        svg.append(String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n",
                LABELS,
                y,
                spread.median() * scale,
                BAR));
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>%n",
                LABELS + spread.lowest() * scale,
                y + BAR / 2,
                LABELS + spread.highest() * scale,
                y + BAR / 2));
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%d\">%,.0f%s</text>%n",
                LABELS + spread.highest() * scale + 6,
                y + 14,
                spread.median(),
                isTime(trials) ? " ms" : "/s"));
    }

    private static boolean valid(List<Trial> trials) {
        return trials.stream().allMatch(trial -> trial.wrong() == null);
    }

    private static Spread spread(List<Trial> trials) {
        boolean time = isTime(trials);
        return Spread.of(trials.stream()
                .map(trial -> time ? trial.p99Micros() / 1000 : trial.perSecond())
                .toList());
    }

    private static boolean isTime(List<Trial> trials) {
        return trials.stream().allMatch(trial -> Double.isNaN(trial.perSecond()));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
