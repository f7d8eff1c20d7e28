package dev.rowlock.prover.scenario;

/**
 * The smallest unit of a scenario file's grammar.
 *
 * @param kind what it is
 * @param text its content: a quoted name without its quotes, a block without its braces
 * @param begin the offset of its first character, quote or brace included
 * @param end the offset behind its last one
 * @param position the place of {@code begin}
 */
record Token(Kind kind, String text, int begin, int end, Position position) {
    private static final int SHOWN_CHARACTERS = 60;

    enum Kind {
        WORD,
        QUOTED,
        BLOCK,
        NUMBER,
        PUNCTUATION,
        END
    }

    boolean isWord(String word) {
        return kind == Kind.WORD && text.equals(word);
    }

    boolean isPunctuation(char c) {
        return kind == Kind.PUNCTUATION && text.charAt(0) == c;
    }

    /** How an error message calls it. */
    String description() {
        return switch (kind) {
            case WORD, PUNCTUATION -> "'" + shortened(text) + "'";
            case QUOTED -> '"' + shortened(text.replace("\"", "\"\"")) + '"';
            case NUMBER -> shortened(text);
            case BLOCK -> "a block { … }";
            case END -> "the end of the file";
        };
    }

    static String shortened(String text) {
        return text.codePointCount(0, text.length()) <= SHOWN_CHARACTERS
                ? text
                : text.substring(0, text.offsetByCodePoints(0, SHOWN_CHARACTERS)) + "…";
    }
}
