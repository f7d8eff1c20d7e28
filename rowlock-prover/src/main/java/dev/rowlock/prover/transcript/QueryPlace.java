package dev.rowlock.prover.transcript;

/** Shows a place in a query as libpq does: the line that it is in, cut to a width of about 60, and a mark below it. */
final class QueryPlace {
    private static final int WIDTH = 60;
    private static final int KEPT_BEHIND = 10;

    private QueryPlace() {}

    /**
     * The two lines, or nothing where the query has no such place.
     *
     * @param position in characters, from 1
     */
    static String show(String query, int position) {
        int[] text = query.codePoints().toArray();
        int place = position - 1;
        if (place < 0 || place > text.length) {
            return "";
        }
        int number = 1;
        int begin = 0;
        for (int i = 0; i < place; i++) {
            if (isBreak(text[i])) {
                // CR LF is one end of a line.
                number += text[i] == '\n' && i > 0 && text[i - 1] == '\r' ? 0 : 1;
                begin = i + 1;
            }
        }
        int end = place;
        while (end < text.length && !isBreak(text[end])) {
            end++;
        }
        return cut(text, number, begin, place, end);
    }

    private static String cut(int[] text, int number, int lineBegin, int place, int lineEnd) {
        int begin = lineBegin;
        int end = lineEnd;
        if (end - begin > WIDTH) {
            // The right side goes first, but not what stands closely behind the place.
            end = Math.min(end, Math.max(begin + WIDTH, place + KEPT_BEHIND));
            begin = Math.max(begin, end - WIDTH);
        }
        String head = "LINE " + number + ": " + (begin > lineBegin ? "..." : "");
        StringBuilder shown = new StringBuilder(head);
        for (int i = begin; i < end; i++) {
            shown.appendCodePoint(text[i] == '\t' ? ' ' : text[i]);
        }
        shown.append(end < lineEnd ? "..." : "").append('\n');
        return shown.append(" ".repeat(head.length() + place - begin))
                .append("^\n")
                .toString();
    }

    private static boolean isBreak(int character) {
        return character == '\n' || character == '\r';
    }
}
