package dev.rowlock.watch.trace;

import dev.rowlock.watch.BoundSql;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/** What is kept of the values of parameters. */
final class Values {
    /** Longer ones are cut off. */
    static final int LONGEST = 1_000;

    private static final int MARK_BYTES = 8;

    private final boolean hidden;
    /** Without it, short values could be guessed from their marks. */
    private final byte[] salt = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);

    Values(boolean hidden) {
        this.hidden = hidden;
    }

    Part part(SqlShape shape, BoundSql sent) {
        List<String> values = sent.hasParameters()
                ? sent.values().stream().map(hidden ? this::mark : Values::cut).toList()
                : List.of();
        return new Part(shape, values, hidden);
    }

    private static String cut(String value) {
        return value.length() <= LONGEST ? value : value.substring(0, LONGEST) + "…'";
    }

    private String mark(String value) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(salt);
            // A number and the same in quotes name the same row.
            byte[] all = digest.digest(value.replace("'", "").getBytes(StandardCharsets.UTF_8));
            return "#" + HexFormat.of().formatHex(all, 0, MARK_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
