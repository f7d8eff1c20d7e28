package dev.rowlock.once;

/**
 * An idempotency key and whose it is. The same key in two scopes is two keys.
 *
 * @param scope whose key it is, for example the tenant and the operation: 1 to {@value #MAX_SCOPE} characters. Chosen by the
 *     program, never by the client, which could otherwise read another tenant's answers
 * @param key chosen by the client, once for each request and again for each repeat of it: 1 to {@value #MAX_KEY} characters
 */
public record OnceKey(String scope, String key) {
    /** The longest scope, in characters. */
    public static final int MAX_SCOPE = 100;
    /** The longest key, in characters. */
    public static final int MAX_KEY = 255;

    /**
     * Checks both.
     *
     * @throws IllegalArgumentException if one of them is empty, too long, or has characters other than printable ASCII. HTTP: 400
     */
    public OnceKey {
        check("scope", scope, MAX_SCOPE);
        check("idempotency key", key, MAX_KEY);
    }

    private static void check(String what, String text, int most) {
        if (text.isEmpty() || text.length() > most) {
            throw new IllegalArgumentException(
                    "the " + what + " has " + text.length() + " characters; it must have 1 to " + most);
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~') {
                throw new IllegalArgumentException("the " + what + " has the character U+"
                        + String.format("%04X", (int) c) + " at position " + i + "; it must be printable ASCII");
            }
        }
    }

    @Override
    public String toString() {
        return "\"" + key + "\" of " + scope;
    }
}
