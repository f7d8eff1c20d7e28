package dev.rowlock.prover.scenario;

import java.io.Serializable;

/**
 * A place in a scenario file, as an editor shows it.
 *
 * @param file the name that the text was read under
 * @param line from 1; only a line feed ends a line
 * @param column from 1, counted in characters (Unicode code points), a tab being one
 */
public record Position(String file, int line, int column) implements Comparable<Position>, Serializable {

    /** Checks that line and column count from 1. */
    public Position {
        if (line < 1 || column < 1) {
            throw new IllegalArgumentException("line and column count from 1, not " + line + ":" + column);
        }
    }

    /** Orders by line, then column; meant for places in the same file. */
    @Override
    public int compareTo(Position other) {
        int byLine = Integer.compare(line, other.line);
        return byLine != 0 ? byLine : Integer.compare(column, other.column);
    }

    /** {@code file:line:column}, the form that terminals and editors make a link of. */
    @Override
    public String toString() {
        return file + ":" + line + ":" + column;
    }
}
