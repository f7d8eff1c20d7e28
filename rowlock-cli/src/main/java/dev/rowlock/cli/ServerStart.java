package dev.rowlock.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts the server of a data folder on a free loopback port. */
final class ServerStart {
    /** Long enough for the recovery after a crash under load. */
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private static final Duration MARGIN = Duration.ofSeconds(10);
    private static final int ATTEMPTS = 3;

    private final DataFolder folder;
    private final Engine engine;

    ServerStart(DataFolder folder, Engine engine) {
        this.folder = folder;
        this.engine = engine;
    }

    /** A port found free can be taken by another program before PostgreSQL binds it: only then try another one. */
    Postmaster run() throws IOException {
        for (int attempt = 1; ; attempt++) {
            int port = freePort();
            int status = engine.run(
                    LIMIT.plus(MARGIN),
                    "pg_ctl",
                    "start",
                    "-D",
                    folder.data().toString(),
                    "-w",
                    "-t",
                    Long.toString(LIMIT.toSeconds()),
                    "-o",
                    options(port));
            Optional<Postmaster> started = Postmaster.of(folder.data());
            if (status == 0 && started.isPresent()) {
                return started.get();
            }
            if (attempt == ATTEMPTS || isFree(port)) {
                throw new Refusal(
                        "PostgreSQL does not start in " + folder.root() + ": " + PostgresLog.lastError(folder.log()));
            }
        }
    }

    /** No unix socket: its path has a length limit, and two servers in one folder for sockets can clash. */
    private static String options(int port) {
        Stream<String> ours = Stream.of(
                "port=" + port,
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "timezone=UTC",
                "log_timezone=UTC",
                "log_checkpoints=off",
                // An error is the client's to report; only what concerns the server itself goes to the log.
                "log_min_messages=log");
        Stream<String> durable = Durability.SETTINGS.stream().map(setting -> setting + "=on");
        return Stream.concat(ours, durable).map(setting -> "-c " + setting).collect(Collectors.joining(" "));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, loopback())) {
            return socket.getLocalPort();
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, loopback())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    private static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }
}
