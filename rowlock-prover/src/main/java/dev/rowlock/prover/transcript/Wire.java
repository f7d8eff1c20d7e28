package dev.rowlock.prover.transcript;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/** A connection as a stream of messages. Nothing of it waits unless told how long. */
final class Wire implements AutoCloseable {
    private static final int HEAD = 5;
    private static final int MAX_MESSAGE = 64 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private ByteBuffer received = ByteBuffer.allocate(1 << 13).flip();
    private boolean ended;

    private Wire(SocketChannel channel, Selector selector) throws IOException {
        this.channel = channel;
        this.selector = selector;
        channel.configureBlocking(false);
        this.key = channel.register(selector, SelectionKey.OP_READ);
    }

    static Wire connect(String host, int port) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.socket().connect(new InetSocketAddress(host, port), Math.toIntExact(PATIENCE.toMillis()));
            channel.socket().setTcpNoDelay(true);
            return new Wire(channel, Selector.open());
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Sends everything; fails when the server does not take it in half a minute. */
    void send(ByteBuffer bytes) throws IOException {
        long begin = System.nanoTime();
        while (true) {
            channel.write(bytes);
            if (!bytes.hasRemaining()) {
                return;
            }
            if (System.nanoTime() - begin > PATIENCE.toNanos()) {
                throw new IOException("the server takes no more of the query");
            }
            key.interestOps(SelectionKey.OP_WRITE);
            try {
                select(PATIENCE);
            } finally {
                key.interestOps(SelectionKey.OP_READ);
            }
        }
    }

    /** Whether the server has sent something, or hung up, before the time was over. */
    boolean awaitInput(Duration atMost) throws IOException {
        return ended || select(atMost);
    }

    private boolean select(Duration atMost) throws IOException {
        // 0 would mean forever.
        int ready = selector.select(Math.max(1, atMost.toMillis()));
        selector.selectedKeys().clear();
        if (Thread.interrupted()) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted");
        }
        return ready > 0;
    }

    /** Takes in what has arrived, without waiting. */
    void receive() throws IOException {
        int count = 1;
        while (count > 0 && received.remaining() <= MAX_MESSAGE) {
            ByteBuffer room = roomBehind();
            count = read(room);
            received = room.flip();
            ended |= count < 0;
        }
    }

    /** A server that ended may reset the connection instead of closing it: to the reader both are the end. */
    private int read(ByteBuffer room) throws IOException {
        try {
            return channel.read(room);
        } catch (SocketException e) {
            return -1;
        }
    }

    private ByteBuffer roomBehind() {
        int held = received.remaining();
        if (held * 2 < received.capacity()) {
            return received.compact();
        }
        byte[] larger = new byte[Math.max(received.capacity(), held) * 2];
        received.get(larger, 0, held);
        return ByteBuffer.wrap(larger).position(held);
    }

    /** The server will send nothing any more; what it has sent before can still be taken. */
    boolean isEnded() {
        return ended;
    }

    /** Whether there is a whole message to {@link #take}. */
    boolean hasMessage() throws IOException {
        if (received.remaining() < HEAD) {
            return false;
        }
        int length = received.getInt(received.position() + 1);
        if (length < 4 || length > MAX_MESSAGE) {
            throw new IOException("the server sent a message of " + length + " bytes");
        }
        return received.remaining() > length;
    }

    /** The type of the message that {@link #take} would return. */
    char nextType() {
        return (char) received.get(received.position());
    }

    Message take() {
        char type = (char) received.get();
        byte[] content = new byte[received.getInt() - 4];
        received.get(content);
        return new Message(type, ByteBuffer.wrap(content));
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }
}
