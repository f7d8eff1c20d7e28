package dev.rowlock.prover.transcript;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What the server sent: a type and a content that is read from front to back. */
final class Message {
    private final char type;
    private final ByteBuffer content;

    Message(char type, ByteBuffer content) {
        this.type = type;
        this.content = content;
    }

    char type() {
        return type;
    }

    char byteAsChar() {
        return (char) (content.get() & 0xFF);
    }

    int int16() {
        return content.getShort();
    }

    int int32() {
        return content.getInt();
    }

    byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        content.get(bytes);
        return bytes;
    }

    String text(int length) {
        return new String(bytes(length), StandardCharsets.UTF_8);
    }

    /** All that has not been read yet. */
    String rest() {
        return text(content.remaining());
    }

    /** Up to the next zero, which is skipped. */
    String string() {
        int begin = content.position();
        int end = begin;
        while (content.get(end) != 0) {
            end++;
        }
        String text = new String(bytes(end - begin), StandardCharsets.UTF_8);
        content.get();
        return text;
    }
}
