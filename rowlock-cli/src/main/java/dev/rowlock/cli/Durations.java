package dev.rowlock.cli;

import java.util.Locale;

/** Durations in words that are short and exact enough to compare. */
final class Durations {
    private static final long SECOND = 1000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;

    private Durations() {}

    /** Such as {@code 12 ms}, {@code 1.4 s}, {@code 2 min 3 s} or {@code 1 h 5 min}. */
    static String words(long millis) {
        if (millis < SECOND) {
            return millis + " ms";
        }
        if (millis < MINUTE) {
            return String.format(Locale.ROOT, "%d.%d s", millis / SECOND, millis % SECOND / 100);
        }
        if (millis < HOUR) {
            return millis / MINUTE + " min " + millis % MINUTE / SECOND + " s";
        }
        return millis / HOUR + " h " + millis % HOUR / MINUTE + " min";
    }

    /** The same in whole seconds at least, for guesses. */
    static String roughly(long millis) {
        long seconds = Math.max(1, (millis + SECOND - 1) / SECOND);
        return seconds * SECOND < MINUTE ? seconds + " s" : words(seconds * SECOND);
    }
}
