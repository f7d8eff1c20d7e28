package dev.rowlock.prover.transcript;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Writes rows as libpq's aligned print does: numbers to the right, everything else to the left, widths in bytes of UTF-8. */
final class ResultTable {
    private static final String SEPARATOR = "|";

    private final List<String> columns;
    private final List<List<String>> rows;
    private final int[] widths;
    private final boolean[] numeric;

    private ResultTable(Answer.Rows answer) {
        this.columns = answer.columns();
        this.rows = answer.rows().stream()
                .map(row -> row.stream()
                        .map(cell -> Objects.requireNonNullElse(cell, ""))
                        .toList())
                .toList();
        this.widths = new int[columns.size()];
        this.numeric = new boolean[columns.size()];
        for (int column = 0; column < widths.length; column++) {
            widths[column] = width(column);
            numeric[column] = isNumeric(column);
        }
    }

    /** Nothing at all for rows without columns. */
    static void write(Answer.Rows answer, Consumer<String> out) {
        if (!answer.columns().isEmpty()) {
            new ResultTable(answer).write(out);
        }
    }

    private void write(Consumer<String> out) {
        List<String> rule = new ArrayList<>();
        for (int width : widths) {
            rule.add("-".repeat(width));
        }
        out.accept(line(columns));
        out.accept(String.join("+", rule) + "\n");
        rows.forEach(row -> out.accept(line(row)));
        out.accept("(" + rows.size() + (rows.size() == 1 ? " row)\n\n" : " rows)\n\n"));
    }

    private String line(List<String> cells) {
        List<String> padded = new ArrayList<>();
        for (int column = 0; column < columns.size(); column++) {
            String cell = cells.get(column);
            String blanks = " ".repeat(widths[column] - bytes(cell));
            padded.add(numeric[column] ? blanks + cell : cell + blanks);
        }
        return String.join(SEPARATOR, padded) + "\n";
    }

    private int width(int column) {
        int widest = bytes(columns.get(column));
        for (List<String> row : rows) {
            widest = Math.max(widest, bytes(row.get(column)));
        }
        return widest;
    }

    /** Also of a column that is empty everywhere. */
    private boolean isNumeric(int column) {
        return rows.stream().map(row -> row.get(column)).allMatch(ResultTable::looksNumeric);
    }

    /** The rule is rough: a date of numbers counts, {@code 1e} does not, nor does anything that begins with an E. */
    private static boolean looksNumeric(String cell) {
        if (cell.isEmpty()) {
            return true;
        }
        char first = cell.charAt(0);
        char last = cell.charAt(cell.length() - 1);
        return first != 'E'
                && first != 'e'
                && isDigit(last)
                && cell.chars().allMatch(c -> isDigit(c) || ".Ee -".indexOf(c) >= 0);
    }

    private static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
