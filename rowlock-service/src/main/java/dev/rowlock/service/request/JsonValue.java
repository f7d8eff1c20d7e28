package dev.rowlock.service.request;

import org.jspecify.annotations.Nullable;

/**
 * A member of a JSON object, as far as requests need it.
 *
 * @param kind what it is
 * @param value a {@link String}, a {@link Long}, a map of members by name or a list, for those kinds, else null
 */
record JsonValue(Kind kind, @Nullable Object value) {
    enum Kind {
        TEXT("a text"),
        WHOLE_NUMBER("a whole number"),
        TOO_LARGE("a number beyond 64 bits"),
        FRACTION("a number with a fraction or exponent"),
        TRUTH("true or false"),
        NULL("null"),
        OBJECT("an object"),
        LIST("a list");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    static JsonValue of(Kind kind) {
        return new JsonValue(kind, null);
    }
}
