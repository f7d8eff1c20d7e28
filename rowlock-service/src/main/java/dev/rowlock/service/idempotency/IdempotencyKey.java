package dev.rowlock.service.idempotency;

import dev.rowlock.service.problem.ProblemException;
import java.util.regex.Pattern;

/**
 * The value of an {@code Idempotency-Key} header (draft-ietf-httpapi-idempotency-key-header-07, section 2.1): a string in quotes, as
 * RFC 8941 writes it. Many clients leave the quotes out, so that is taken too and means the same key.
 *
 * @param value the key without its quotes
 */
record IdempotencyKey(String value) {
    static final String HEADER = "Idempotency-Key";
    static final int MAX_LENGTH = 255;

    private static final Pattern QUOTED = Pattern.compile("\"(?:[\\x20\\x21\\x23-\\x5B\\x5D-\\x7E]|\\\\[\"\\\\])*\"");
    private static final Pattern BARE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]+");

    /**
     * Reads the header.
     *
     * @throws ProblemException 400 if it is not a key
     */
    static IdempotencyKey parse(String header) {
        String text = header.strip();
        String key;
        if (QUOTED.matcher(text).matches()) {
            key = text.substring(1, text.length() - 1).replaceAll("\\\\(.)", "$1");
        } else if (BARE.matcher(text).matches()) {
            key = text;
        } else {
            throw malformed();
        }
        if (key.isBlank() || key.length() > MAX_LENGTH) {
            throw malformed();
        }
        return new IdempotencyKey(key);
    }

    private static ProblemException malformed() {
        return ProblemException.invalid(
                HEADER,
                "must be a text of 1 to " + MAX_LENGTH
                        + " visible ASCII characters in quotes, different for each new request, such as a UUID");
    }
}
