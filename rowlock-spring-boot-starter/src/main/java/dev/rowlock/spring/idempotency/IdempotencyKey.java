package dev.rowlock.spring.idempotency;

import dev.rowlock.spring.http.Problem;
import dev.rowlock.spring.http.ProblemKind;
import dev.rowlock.spring.http.RequestRefusedException;
import java.util.regex.Pattern;

/**
 * The value of an {@code Idempotency-Key} header (draft-ietf-httpapi-idempotency-key-header-07, section 2.1): a string in quotes, as
 * RFC 8941 writes it. Many clients leave the quotes out, so that is taken too and means the same key.
 *
 * @param value the key without its quotes
 */
public record IdempotencyKey(String value) {
    /** The request header. */
    public static final String HEADER = "Idempotency-Key";
    /** The answer header of a repeat. */
    public static final String REPLAYED = "Idempotent-Replayed";

    private static final int MAX_LENGTH = 255;
    /** What is wrong with a header that cannot be read, to be read behind its name. */
    public static final String RULE = "must be a text of 1 to " + MAX_LENGTH
            + " visible ASCII characters in quotes, different for each new request, such as a UUID";

    private static final Pattern QUOTED = Pattern.compile("\"(?:[\\x20\\x21\\x23-\\x5B\\x5D-\\x7E]|\\\\[\"\\\\])*\"");
    private static final Pattern BARE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]+");

    /**
     * Reads the header.
     *
     * @throws RequestRefusedException 400 if it is not a key
     */
    public static IdempotencyKey parse(String header) {
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

    private static RequestRefusedException malformed() {
        return new RequestRefusedException(HEADER, Problem.of(ProblemKind.INVALID_REQUEST, HEADER + " " + RULE));
    }
}
