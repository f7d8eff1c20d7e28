package dev.rowlock.prover.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * SQL between braces.
 *
 * @param text exactly what stands between the braces, blanks and comments included
 * @param position where {@code text} begins: the character after the opening brace
 */
public record SqlBlock(String text, Position position) {

    /**
     * The text as PostgreSQL's tester sends and prints it: without the blanks, tabs, carriage returns and form feeds next to
     * the braces. Line feeds stay, and what is before or behind them as well.
     */
    public String trimmed() {
        int begin = 0;
        int end = text.length();
        while (begin < end && isBlank(text.charAt(begin))) {
            begin++;
        }
        while (begin < end && isBlank(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(begin, end);
    }

    /** The single statements of the block, each with its own position; see {@link Sql#statements(String)}. */
    public List<SqlBlock> statements() {
        Places places = new Places(text, position);
        List<SqlBlock> statements = new ArrayList<>();
        for (Sql.Piece piece : Sql.statements(text)) {
            statements.add(new SqlBlock(piece.text(), places.at(piece.offset())));
        }
        return List.copyOf(statements);
    }

    /**
     * The place of a character of {@link #text}.
     *
     * @param offset as a Java string counts, 0 to the text's length
     * @throws IndexOutOfBoundsException if the offset is outside of that
     */
    public Position positionOf(int offset) {
        return new Places(text, position).at(Objects.checkIndex(offset, text.length() + 1));
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\f';
    }
}
