package dev.rowlock.prover.engine;

import java.util.stream.IntStream;

/** Tells what of some SQL stands at its own level: outside of quotes and of parentheses. */
final class Nesting {
    private Nesting() {}

    /** The places at the text's own level, the parentheses themselves not among them. */
    static IntStream ownLevel(String text) {
        IntStream.Builder places = IntStream.builder();
        int depth = 0;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '(') {
                depth++;
            } else if (c == ')') {
                depth--;
            } else if (depth == 0) {
                places.add(i);
            }
        }
        return places.build();
    }
}
