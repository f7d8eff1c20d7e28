package dev.rowlock.once;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a request was answered, kept byte for byte: a status, headers and a body. Over HTTP they are what they are called; anything
 * else can use the body alone. Immutable.
 */
public final class Answer {
    /** The most headers that an answer can have. */
    public static final int MAX_HEADERS = 32;

    private static final int OK = 200;

    private final int status;
    private final Map<String, String> headers;
    private final byte[] body;

    private Answer(int status, Map<String, String> headers, byte[] body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    /** With status 200 and this text in UTF-8. */
    public static Answer of(String body) {
        return of(OK, body);
    }

    /** With this text in UTF-8. */
    public static Answer of(int status, String body) {
        return new Answer(status, Map.of(), body.getBytes(StandardCharsets.UTF_8));
    }

    /** With these bytes. */
    public static Answer of(int status, byte[] body) {
        return new Answer(status, Map.of(), body.clone());
    }

    /**
     * The same with one header more, behind the others; one of the same name is replaced. Choose those that a repeat must see again,
     * such as {@code Content-Type}, {@code Location} and {@code ETag}.
     *
     * @throws IllegalArgumentException if the name is not an HTTP token, the value is not printable ASCII, or there are
     *     {@value #MAX_HEADERS} already
     */
    public Answer withHeader(String name, String value) {
        Headers.check(name, value);
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.keySet().removeIf(name::equalsIgnoreCase);
        more.put(name, value);
        if (more.size() > MAX_HEADERS) {
            throw new IllegalArgumentException("header " + name + " is one more than " + MAX_HEADERS);
        }
        return new Answer(status, Collections.unmodifiableMap(more), body);
    }

    Answer withHeaders(Map<String, String> checked) {
        return new Answer(status, Collections.unmodifiableMap(new LinkedHashMap<>(checked)), body);
    }

    /** The status; a number that means something to the caller. */
    public int status() {
        return status;
    }

    /** The headers in the order in which they were given. */
    public Map<String, String> headers() {
        return headers;
    }

    /** A copy of the body. */
    public byte[] body() {
        return body.clone();
    }

    /** The body read as UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** How many bytes the headers and the body take. */
    int size() {
        return body.length + Headers.write(headers).length();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Answer that
                && status == that.status
                && headers.equals(that.headers)
                && Arrays.equals(body, that.body);
    }

    @Override
    public int hashCode() {
        return Objects.hash(status, headers, Arrays.hashCode(body));
    }

    @Override
    public String toString() {
        return status + " " + headers + " " + body.length + " bytes";
    }
}
