package dev.rowlock.prover.scenario;

/** Turns offsets into positions in one walk over the text: the offsets asked for must not decrease. */
final class Places {
    private final String file;
    private final String text;
    private int offset;
    private int line;
    private int column;

    /**
     * Starts at the beginning of the text.
     *
     * @param begin the position of the text's first character
     */
    Places(String text, Position begin) {
        this.text = text;
        this.file = begin.file();
        this.line = begin.line();
        this.column = begin.column();
    }

    Position at(int target) {
        while (offset < target) {
            int c = text.codePointAt(offset);
            if (c == '\n') {
                line++;
                column = 1;
            } else {
                column++;
            }
            offset += Character.charCount(c);
        }
        return new Position(file, line, column);
    }
}
