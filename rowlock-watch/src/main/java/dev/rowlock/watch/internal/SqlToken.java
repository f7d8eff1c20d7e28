package dev.rowlock.watch.internal;

import java.util.Locale;

/**
 * A piece of SQL text.
 *
 * @param text as written, but a quoted name without its quotes, and a word in lower case
 * @param start where it begins in the text
 * @param end the place behind it
 */
public record SqlToken(Kind kind, String text, int start, int end) {
    /** What a piece is. */
    public enum Kind {
        /** A keyword or a name without quotes. */
        WORD,
        /** A name in double quotes. */
        QUOTED_NAME,
        /** A string constant, of any form. */
        TEXT,
        /** A number. */
        NUMBER,
        /** A question mark, or a dollar sign and a number. */
        PARAMETER,
        /** One character of anything else. */
        SYMBOL
    }

    static SqlToken word(String text, int start, int end) {
        return new SqlToken(Kind.WORD, text.toLowerCase(Locale.ROOT), start, end);
    }

    /** Whether it is this word, which is given in lower case, and not the same in quotes. */
    public boolean is(String word) {
        return kind == Kind.WORD && text.equals(word);
    }

    /** Whether it is this character. */
    public boolean is(char symbol) {
        return kind == Kind.SYMBOL && text.charAt(0) == symbol;
    }

    /** Whether it names something. */
    public boolean isName() {
        return kind == Kind.WORD || kind == Kind.QUOTED_NAME;
    }
}
