package dev.rowlock.prover.engine;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines, between words where it can. */
final class Wrapping {
    private static final String HANGING = "  ";

    private Wrapping() {}

    /** Lines of at most this width, all but the first indented; a word that is too wide is broken. */
    static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        String indent = "";
        while (indent.length() + rest.length() > width) {
            int room = Math.max(1, width - indent.length());
            int blank = rest.lastIndexOf(' ', room);
            int end = blank > 0 ? blank : room;
            lines.add(indent + rest.substring(0, end));
            rest = rest.substring(end).stripLeading();
            indent = HANGING;
        }
        if (!rest.isEmpty() || lines.isEmpty()) {
            lines.add(indent + rest);
        }
        return lines;
    }
}
