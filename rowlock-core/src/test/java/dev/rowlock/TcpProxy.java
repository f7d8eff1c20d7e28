package dev.rowlock;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Stands between the driver and PostgreSQL, reads the frontend's messages (PostgreSQL documentation, 53.7 "Message Formats"),
 * counts round trips and can cut the line at the COMMIT.
 */
public final class TcpProxy implements AutoCloseable {
    /** What happens when a COMMIT comes by. */
    public enum AtCommit {
        /** Nothing special. */
        PASS,
        /** The COMMIT does not reach the server, and both sides see the line broken. */
        CUT_BEFORE,
        /** The server executes the COMMIT, but its answer does not arrive. */
        CUT_AFTER,
        /** The COMMIT does not reach the server; the client sees the line broken, the server does not. */
        CUT_CLIENT_ONLY,
        /** As CUT_AFTER, and nobody can connect any more. */
        SERVER_GONE,
    }

    private final ServerSocket listener;
    private final int serverPort;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger roundTrips = new AtomicInteger();
    private volatile AtCommit atCommit = AtCommit.PASS;
    private volatile boolean gone;

    public TcpProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon("proxy-accept", this::accept);
    }

    /** A data source that reaches the database through this proxy, without encryption. */
    public DataSource inFrontOf(TestDatabase database) {
        PGSimpleDataSource dataSource = database.unpooled();
        dataSource.setPortNumbers(new int[] {listener.getLocalPort()});
        dataSource.setSslMode("disable");
        dataSource.setGssEncMode("disable");
        return dataSource;
    }

    /** Arms the proxy for the next COMMIT; after it has struck, it passes everything on again. */
    public void atCommit(AtCommit what) {
        this.atCommit = what;
    }

    /**
     * How often the client has sent something and waited for the answer: its Sync and simple Query messages, but for BEGIN, which
     * pgjdbc sends in front of the first statement without waiting in between.
     */
    public int roundTrips() {
        return roundTrips.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = open(listener.accept());
                if (gone) { // a last connection can slip in while the listener is being closed
                    client.close();
                    return;
                }
                Socket server = open(new Socket(InetAddress.getLoopbackAddress(), serverPort));
                Line line = new Line(client, server);
                daemon("proxy-to-server", line::toServer);
                daemon("proxy-to-client", line::toClient);
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

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        sockets.forEach(TcpProxy::closeQuietly);
    }

    /** One client's connection. */
    private final class Line {
        private final Socket client;
        private final Socket server;
        private volatile boolean swallowAnswers;

        Line(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void toServer() {
            try {
                DataInputStream in = new DataInputStream(client.getInputStream());
                OutputStream out = server.getOutputStream();
                int startupLength = in.readInt();
                byte[] startup = in.readNBytes(startupLength - 4);
                out.write(ByteBuffer.allocate(4).putInt(startupLength).array());
                out.write(startup);
                while (true) {
                    int type = in.readUnsignedByte();
                    int length = in.readInt();
                    byte[] body = in.readNBytes(length - 4);
                    if (isCommit(type, body) && strike()) {
                        return;
                    }
                    if (type == 'S' || (type == 'Q' && !text(body).startsWith("BEGIN"))) {
                        roundTrips.incrementAndGet();
                    }
                    out.write(ByteBuffer.allocate(5)
                            .put((byte) type)
                            .putInt(length)
                            .array());
                    out.write(body);
                }
            } catch (IOException e) {
                closeBoth(); // either side has gone
            }
        }

        private boolean isCommit(int type, byte[] body) {
            return (type == 'P' || type == 'Q') && text(body).contains("COMMIT");
        }

        private static String text(byte[] body) {
            return new String(body, StandardCharsets.UTF_8);
        }

        /** Returns whether the COMMIT must not be passed on. */
        private boolean strike() throws IOException {
            AtCommit what = atCommit;
            atCommit = AtCommit.PASS;
            switch (what) {
                case CUT_BEFORE -> closeBoth();
                case CUT_CLIENT_ONLY -> client.close();
                case CUT_AFTER -> swallowAnswers = true;
                case SERVER_GONE -> {
                    swallowAnswers = true;
                    gone = true;
                    listener.close();
                }
                case PASS -> {}
            }
            return what == AtCommit.CUT_BEFORE || what == AtCommit.CUT_CLIENT_ONLY;
        }

        void toClient() {
            try {
                InputStream in = server.getInputStream();
                OutputStream out = client.getOutputStream();
                byte[] buffer = new byte[8192];
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    if (swallowAnswers) {
                        closeBoth(); // the answer to the COMMIT is here, so it was executed
                        return;
                    }
                    out.write(buffer, 0, n);
                }
                closeBoth();
            } catch (IOException e) {
                closeBoth();
            }
        }

        private void closeBoth() {
            List<Socket> both = new ArrayList<>(List.of(client, server));
            both.forEach(TcpProxy::closeQuietly);
        }
    }
}
