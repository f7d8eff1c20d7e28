package dev.rowlock.prover.scenario;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Damages scenario files the way editors, merges and malice do; the same seed does the same damage. */
final class FuzzedText {
    private static final List<String> FRAGMENTS = List.of(
            "{",
            "}",
            "\"",
            "\"\"",
            "(",
            ")",
            ",",
            "*",
            ".",
            "-",
            "--",
            "#",
            "\n",
            "\r",
            "\0",
            ":",
            "::",
            ":v",
            "$$",
            "'",
            "/*",
            ";",
            " session ",
            " setup ",
            " step ",
            " teardown ",
            " permutation ",
            " notices ",
            " transaction ",
            " isolation ",
            " retry ",
            " into ",
            " when ",
            " expect ",
            " row ",
            " invariant ",
            " ignore ",
            " observe ",
            " data ",
            " 1 ",
            " 99999999999 ",
            " serializable ",
            " COMMIT; ",
            "𝄞",
            "\u00a0",
            "\u2028");

    private final Random random;

    FuzzedText(long seed) {
        this.random = new Random(seed);
    }

    /** Changes the original in one to eight places. */
    byte[] mutate(byte[] original) {
        byte[] bytes = original;
        int changes = 1 + random.nextInt(8);
        for (int i = 0; i < changes; i++) {
            bytes = change(bytes);
        }
        return bytes;
    }

    /** The scenario, or nothing if it is refused in the one way that is allowed; any other exception gets out. */
    static Optional<Scenario> parseOrReject(String name, String text) {
        return parseOrReject(name, text.getBytes(StandardCharsets.UTF_8));
    }

    static Optional<Scenario> parseOrReject(String name, byte[] utf8) {
        try {
            return Optional.of(Scenarios.parse(name, utf8));
        } catch (ScenarioException e) {
            if (e.line() < 1 || e.column() < 1 || !e.getMessage().matches("\\P{Cntrl}+")) {
                throw new AssertionError("not a message of one line with its place", e);
            }
            return Optional.empty();
        }
    }

    private byte[] change(byte[] bytes) {
        int at = random.nextInt(bytes.length + 1);
        int length = random.nextInt(1 + Math.min(random.nextBoolean() ? 4 : 200, bytes.length - at));
        byte[] before = Arrays.copyOf(bytes, at);
        byte[] range = Arrays.copyOfRange(bytes, at, at + length);
        byte[] after = Arrays.copyOfRange(bytes, at + length, bytes.length);
        return switch (random.nextInt(7)) {
            case 0 -> join(before, after);
            case 1 -> join(before, range, range, after);
            case 2 -> swap(bytes);
            case 3 -> join(before, range, new byte[] {(byte) random.nextInt(256)}, after);
            case 4 -> before;
            case 5 -> move(range, join(before, after));
            default ->
                join(
                        before,
                        FRAGMENTS.get(random.nextInt(FRAGMENTS.size())).getBytes(StandardCharsets.UTF_8),
                        range,
                        after);
        };
    }

    private byte[] swap(byte[] bytes) {
        if (bytes.length == 0) {
            return bytes;
        }
        byte[] swapped = bytes.clone();
        int one = random.nextInt(bytes.length);
        int other = random.nextInt(bytes.length);
        swapped[one] = bytes[other];
        swapped[other] = bytes[one];
        return swapped;
    }

    private byte[] move(byte[] range, byte[] rest) {
        int to = random.nextInt(rest.length + 1);
        return join(Arrays.copyOf(rest, to), range, Arrays.copyOfRange(rest, to, rest.length));
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }
}
