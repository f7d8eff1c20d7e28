package dev.rowlock.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands between client and server and lets every byte arrive later, in both directions, as a network does: what is sent meanwhile is
 * under way at the same time.
 */
final class SlowLine implements AutoCloseable {
    /** Parking is not exact to this; the rest is spun. */
    private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(80);

    private final ServerSocket listener;
    private final int serverPort;
    private final long delayNanos;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    private record Packet(ByteBuffer bytes, long due) {}

    /**
     * @param delayNanos in each direction: half of the round trip that is added
     */
    SlowLine(int serverPort, long delayNanos) throws IOException {
        this.serverPort = serverPort;
        this.delayNanos = delayNanos;
        this.listener = new ServerSocket(0, 400, InetAddress.getLoopbackAddress());
        daemon("slow-line-accept", this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = open(listener.accept());
                Socket server = open(new Socket(InetAddress.getLoopbackAddress(), serverPort));
                carry(client, server);
                carry(server, client);
            } catch (IOException e) {
                // The listener was closed: nobody can connect any more.
                return;
            }
        }
    }

    private Socket open(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        return socket;
    }

    private void carry(Socket from, Socket to) {
        BlockingQueue<Packet> underWay = new LinkedBlockingQueue<>();
        daemon("slow-line-read", () -> read(from, underWay));
        daemon("slow-line-write", () -> write(to, underWay));
    }

    private void read(Socket from, BlockingQueue<Packet> underWay) {
        byte[] buffer = new byte[16 * 1024];
        try (InputStream in = from.getInputStream()) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                underWay.add(new Packet(ByteBuffer.wrap(Arrays.copyOf(buffer, n)), System.nanoTime() + delayNanos));
            }
        } catch (IOException e) {
            // One side has closed the line; so is the other one told.
        }
        underWay.add(new Packet(ByteBuffer.allocate(0), System.nanoTime() + delayNanos));
    }

    private static void write(Socket to, BlockingQueue<Packet> underWay) {
        try (to) {
            OutputStream out = to.getOutputStream();
            for (Packet packet = underWay.take(); packet.bytes().hasRemaining(); packet = underWay.take()) {
                await(packet.due());
                out.write(packet.bytes().array());
            }
        } catch (IOException e) {
            // The receiver has gone: nothing is left to carry.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            if (left > SPIN_NANOS) {
                LockSupport.parkNanos(left - SPIN_NANOS);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
