package dev.rowlock.prover.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The order of steps as one line, such as {@code read_a read_b charge_a commit(a)}: what a report prints and what a replay takes.
 * A name that holds blanks or quotes stands in double quotes, which are doubled inside, as in scenario files.
 */
final class ScheduleText {
    private static final char QUOTE = '"';

    private ScheduleText() {}

    /** The names in one line. */
    static String write(List<String> steps) {
        return steps.stream().map(ScheduleText::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String name) {
        boolean plain =
                !name.isEmpty() && name.indexOf(QUOTE) < 0 && name.chars().noneMatch(Character::isWhitespace);
        return plain ? name : QUOTE + name.replace("\"", "\"\"") + QUOTE;
    }

    /**
     * The names in a line; none in a blank one.
     *
     * @throws IllegalArgumentException if a quote does not end, or does not end a name
     */
    static List<String> read(String text) {
        List<String> names = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            if (Character.isWhitespace(text.charAt(at))) {
                at++;
                continue;
            }
            int end = text.charAt(at) == QUOTE ? endOfQuoted(text, at) : endOfWord(text, at);
            String name = text.substring(at, end);
            names.add(
                    name.charAt(0) == QUOTE
                            ? name.substring(1, name.length() - 1).replace("\"\"", "\"")
                            : name);
            at = end;
        }
        return names;
    }

    private static int endOfWord(String text, int begin) {
        int end = begin;
        while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
            if (text.charAt(end) == QUOTE) {
                throw new IllegalArgumentException("a quote in the middle of a name: " + text.substring(begin));
            }
            end++;
        }
        return end;
    }

    private static int endOfQuoted(String text, int begin) {
        int at = begin + 1;
        while (at < text.length()) {
            if (text.charAt(at) != QUOTE) {
                at++;
            } else if (text.startsWith("\"\"", at)) {
                at += 2;
            } else if (at + 1 == text.length() || Character.isWhitespace(text.charAt(at + 1))) {
                return at + 1;
            } else {
                throw new IllegalArgumentException("no blank behind a quoted name: " + text.substring(begin));
            }
        }
        throw new IllegalArgumentException("a quote without end: " + text.substring(begin));
    }
}
