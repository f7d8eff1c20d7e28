package dev.rowlock.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A table for the terminal: texts to the left, numbers to the right, verdicts in their colours. */
final class TextTable {
    private static final String GAP = "  ";
    private static final int VERDICT = 1;

    private final Paint paint;
    private final Set<Integer> texts;
    private final List<List<String>> rows = new ArrayList<>();

    /**
     * A table without rows, whose first column is a text and whose second is a verdict.
     *
     * @param texts which other columns are texts, from 0; the rest are numbers
     */
    TextTable(Paint paint, List<String> heads, Set<Integer> texts) {
        this.paint = paint;
        this.texts = texts;
        rows.add(heads);
    }

    void add(List<String> row) {
        rows.add(row);
    }

    /** Its lines, without line ends and blanks at their ends. */
    List<String> lines() {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String cell = row.get(i);
                String blanks = " ".repeat(widths[i] - cell.length());
                String text = i == VERDICT && !lines.isEmpty() ? paint.verdict(cell, cell) : cell;
                line.append(i <= VERDICT || texts.contains(i) ? text + blanks : blanks + text)
                        .append(GAP);
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
