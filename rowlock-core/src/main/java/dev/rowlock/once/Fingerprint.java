package dev.rowlock.once;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for, as a SHA-256 digest: tells a repeat of a request from another request with the same key. Put in all that
 * decides the effect (operation, target, payload) and nothing that differs between repeats (time, trace id, signature). Immutable.
 */
public final class Fingerprint {
    private final byte[] digest;

    private Fingerprint(byte[] digest) {
        this.digest = digest;
    }

    /** Of anything that identifies the request. */
    public static Fingerprint of(byte[] request) {
        return digest(request);
    }

    /** Of anything that identifies the request. */
    public static Fingerprint of(String request) {
        return digest(bytes(request));
    }

    /**
     * Of an HTTP request.
     *
     * @param path with the query, if that decides the effect
     * @param body as it came: two spellings of the same JSON are two requests
     */
    public static Fingerprint of(String method, String path, byte[] body) {
        return digest(bytes(method), bytes(path), body);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** With the length before each part, so that no two lists of parts look alike. */
    private static Fingerprint digest(byte[]... parts) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) {
                sha256.update(
                        ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
                sha256.update(part);
            }
            return new Fingerprint(sha256.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The digest, 32 bytes. */
    public byte[] bytes() {
        return digest.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Fingerprint that && Arrays.equals(digest, that.digest);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(digest);
    }

    /** The digest in hexadecimal. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(digest);
    }
}
