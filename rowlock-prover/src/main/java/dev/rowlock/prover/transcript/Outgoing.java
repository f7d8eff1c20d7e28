package dev.rowlock.prover.transcript;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Builds a message to the server. */
final class Outgoing {
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();

    Outgoing int32(int number) {
        content.writeBytes(ByteBuffer.allocate(4).putInt(number).array());
        return this;
    }

    Outgoing bytes(byte[] bytes) {
        content.writeBytes(bytes);
        return this;
    }

    /** With a zero behind it. */
    Outgoing string(String text) {
        content.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        content.write(0);
        return this;
    }

    ByteBuffer as(char type) {
        return ByteBuffer.allocate(content.size() + 5)
                .put((byte) type)
                .putInt(content.size() + 4)
                .put(content.toByteArray())
                .flip();
    }

    /** For the few messages that come before there are types. */
    ByteBuffer withoutType() {
        return ByteBuffer.allocate(content.size() + 4)
                .putInt(content.size() + 4)
                .put(content.toByteArray())
                .flip();
    }
}
