package dev.rowlock.prover.scenario;

/**
 * A scenario is not written as it must be. The message is one line, {@code file:line:column: expected …, found …}; the position
 * is where the offending text begins.
 */
public final class ScenarioException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Position position;
    private final String expected;
    private final String found;

    /**
     * Says what is wrong where.
     *
     * @param position where the offending text begins
     * @param expected what may stand there, such as {@code a name}
     * @param found what stands there; characters that would not show in a line are escaped
     */
    public ScenarioException(Position position, String expected, String found) {
        super(oneLine(position + ": expected " + expected + ", found " + found));
        this.position = position;
        this.expected = oneLine(expected);
        this.found = oneLine(found);
    }

    /** Where the offending text begins. */
    public Position position() {
        return position;
    }

    /** The name that the scenario was read under. */
    public String file() {
        return position.file();
    }

    /** The line, from 1. */
    public int line() {
        return position.line();
    }

    /** The column, from 1, in characters. */
    public int column() {
        return position.column();
    }

    /** What may stand there. */
    public String expected() {
        return expected;
    }

    /** What stands there. */
    public String found() {
        return found;
    }

    /** A terminal must neither break the line nor act on what somebody wrote into a file. */
    private static String oneLine(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            switch (Character.getType(c)) {
                case Character.CONTROL,
                        Character.FORMAT,
                        Character.LINE_SEPARATOR,
                        Character.PARAGRAPH_SEPARATOR,
                        Character.SURROGATE,
                        Character.UNASSIGNED -> line.append(String.format("\\u%04X", c));
                default -> line.appendCodePoint(c);
            }
        });
        return line.toString();
    }
}
