package dev.rowlock;

import java.nio.charset.StandardCharsets;

/** Checks and quotes SQL identifiers. */
final class Identifiers {
    /** PostgreSQL cuts longer names off with a mere notice, so that two names could become one. */
    private static final int MAX_BYTES = 63;

    private Identifiers() {}

    static String check(String what, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(what + " is blank");
        }
        if (name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(what + " contains a NUL character");
        }
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException(what + " \"" + name + "\" has " + bytes
                    + " bytes; PostgreSQL keeps only the first " + MAX_BYTES + " of a name");
        }
        return name;
    }

    static String quote(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
