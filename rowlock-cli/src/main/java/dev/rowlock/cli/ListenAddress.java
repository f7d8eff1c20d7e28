package dev.rowlock.cli;

import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;

/**
 * Where the service listens.
 *
 * @param address of one of this machine's interfaces, or the wildcard for all of them
 * @param port 0 for any free one
 */
record ListenAddress(InetAddress address, int port) {
    private static final int HIGHEST_PORT = 65_535;

    static ListenAddress of(String address, int port) {
        if (port < 0 || port > HIGHEST_PORT) {
            throw new Refusal(
                    "--port " + port + " is not a port: use 1 to " + HIGHEST_PORT + ", or 0 for any free one");
        }
        try {
            return new ListenAddress(InetAddress.getAllByName(address)[0], port);
        } catch (UnknownHostException e) {
            throw new Refusal("--address " + address + " is not an address of this machine; try 127.0.0.1", e);
        }
    }

    /** Finds out in milliseconds what would otherwise fail after a database was started. */
    void requireFree() {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port));
        } catch (BindException e) {
            throw Refusal.reason(e).contains("in use") ? taken(port, e) : unusable(e);
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    static Refusal taken(int port, Throwable cause) {
        return new Refusal("port " + port + " is taken by another program; choose another --port, or 0 for any", cause);
    }

    private Refusal unusable(IOException cause) {
        return new Refusal(
                "cannot listen on " + url(port).substring("http://".length()) + " (" + Refusal.reason(cause)
                        + "); choose another --address or --port",
                cause);
    }

    /** What to type into a browser on this machine. */
    String url(int realPort) {
        String host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
        return "http://" + (address instanceof Inet6Address && !address.isAnyLocalAddress() ? "[" + host + "]" : host)
                + ":" + realPort;
    }
}
