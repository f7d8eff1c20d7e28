package dev.rowlock.jobs;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Bounds of what comes in. */
final class Checks {
    static final int NAME_CHARS = 100;
    static final int KEY_CHARS = 200;
    static final int PAYLOAD_BYTES = 1 << 20;
    static final Duration LONGEST_DELAY = Duration.ofDays(3650);

    private Checks() {}

    static String name(String what, String name) {
        return text(what, name, NAME_CHARS);
    }

    static String key(String what, String key) {
        return text(what, key, KEY_CHARS);
    }

    private static String text(String what, String text, int most) {
        if (text.isBlank() || text.length() > most || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(what + " is \"" + text.substring(0, Math.min(text.length(), most))
                    + "\" (" + text.length() + " characters); it must be from 1 to " + most
                    + " characters, not blank and without NUL");
        }
        return text;
    }

    static String payload(String payload) {
        // A character is three bytes at most, so most texts need not be encoded to be found small enough.
        int bytes = payload.length() <= PAYLOAD_BYTES / 3
                ? payload.length()
                : payload.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > PAYLOAD_BYTES) {
            throw new IllegalArgumentException("payload has " + bytes + " bytes; at most " + PAYLOAD_BYTES
                    + " are taken: keep large things in a table and put their key into the job");
        }
        if (payload.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("payload contains a NUL character, which PostgreSQL cannot store");
        }
        return payload;
    }

    static int range(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be from " + least + " to " + most);
        }
        return value;
    }

    static Duration range(String what, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be from " + least + " to " + most);
        }
        return value;
    }
}
