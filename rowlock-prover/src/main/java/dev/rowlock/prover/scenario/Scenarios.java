package dev.rowlock.prover.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Reads scenarios: {@code .race} files, and PostgreSQL's {@code .spec} files, each of which is a valid scenario.
 *
 * <pre>{@code
 * Scenario scenario = Scenarios.read(Path.of("wallet.race"));
 * }</pre>
 */
public final class Scenarios {
    /** The most that a scenario file may hold, 1 MiB. */
    public static final int MAX_BYTES = 1 << 20;

    private Scenarios() {}

    /**
     * Reads and parses a file in UTF-8, with or without a byte order mark.
     *
     * @throws ScenarioException if it cannot be read (then with the reason as its cause), is longer than {@link #MAX_BYTES}, is
     *     not UTF-8, or is not a scenario
     */
    public static Scenario read(Path file) {
        String name = file.toString();
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (IOException e) {
            ScenarioException unreadable =
                    new ScenarioException(new Position(name, 1, 1), "a file that can be read", reason(e));
            unreadable.initCause(e);
            throw unreadable;
        }
        return parse(name, bytes);
    }

    /**
     * Parses a scenario.
     *
     * @param name what errors call the file
     * @param text what it holds
     * @throws ScenarioException if the text is longer than {@link #MAX_BYTES} characters, holds NUL or half a surrogate pair, or
     *     is not a scenario
     */
    public static Scenario parse(String name, String text) {
        if (text.length() > MAX_BYTES) {
            throw tooLong(name);
        }
        String content = text.startsWith("\uFEFF") ? text.substring(1) : text;
        requireText(name, content);
        return new ScenarioParser(name, content).parse();
    }

    static Scenario parse(String name, byte[] utf8) {
        if (utf8.length > MAX_BYTES) {
            throw tooLong(name);
        }
        return parse(name, decode(name, utf8));
    }

    private static String decode(String name, byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        // UTF-8 never has more characters than bytes, so this cannot overflow.
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(in, out, true);
        String text = out.flip().toString();
        if (result.isError()) {
            throw new ScenarioException(
                    positionOf(name, text, text.length()),
                    "text in UTF-8",
                    String.format("the byte 0x%02X, which cannot stand there", bytes[in.position()] & 0xFF));
        }
        return text;
    }

    private static void requireText(String name, String text) {
        for (int i = 0; i < text.length(); i++) {
            int c = text.codePointAt(i);
            if (c == 0) {
                throw new ScenarioException(positionOf(name, text, i), "text", "a NUL character");
            }
            if (Character.isSupplementaryCodePoint(c)) {
                i++;
            } else if (Character.isSurrogate((char) c)) {
                throw new ScenarioException(positionOf(name, text, i), "text", "half a surrogate pair");
            }
        }
    }

    /** Java's message for a missing file is the path alone. */
    private static String reason(IOException e) {
        return e instanceof NoSuchFileException ? "none" : String.valueOf(e.getMessage());
    }

    private static Position positionOf(String name, String text, int offset) {
        return new Places(text, new Position(name, 1, 1)).at(offset);
    }

    private static ScenarioException tooLong(String name) {
        return new ScenarioException(new Position(name, 1, 1), "at most " + MAX_BYTES + " bytes", "more");
    }
}
