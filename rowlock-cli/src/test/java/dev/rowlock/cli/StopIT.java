package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class StopIT {
    private static final int STATUS_OF_SIGTERM = 143;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Test
    void sigtermStopsServiceAndPostgresAndTheNextStartSeesTheData() throws Exception {
        try (TempDataDir dataDir = TempDataDir.create()) {
            try (ServerProcess first = ServerProcess.start("--data-dir", dataDir.toString())) {
                Sql.execute(first.jdbcUrl(), "CREATE TABLE note AS SELECT 'kept' AS text");

                assertThat(first.terminate()).isEqualTo(STATUS_OF_SIGTERM);

                assertThat(dataDir.postgres()).isEmpty();
                assertThat(first.stdout()).endsWith("Rowlock has stopped\n");
                assertThat(first.stderr()).isEmpty();
                assertThat(dataDir.path().resolve("postgres/postmaster.pid")).doesNotExist();
            }
            try (ServerProcess second = ServerProcess.start("--data-dir", dataDir.toString())) {
                assertThat(Sql.query(second.jdbcUrl(), "SELECT text FROM note")).isEqualTo("kept");
                assertThat(second.stderr()).isEmpty();
            }
        }
    }

    /** PostgreSQL is frozen so that the request is still on its way when the signal comes. */
    @Test
    void requestInFlightIsAnsweredAlthoughTheSignalHasCome() throws Exception {
        try (TempDataDir dataDir = TempDataDir.create();
                ServerProcess server = ServerProcess.start("--data-dir", dataDir.toString())) {
            URI base = URI.create(server.baseUrl());
            List<ProcessHandle> postgres = dataDir.postgres();
            CompletableFuture<HttpResponse<String>> answer;
            signal("STOP", postgres);
            try {
                answer = Http.getAsync(base + "/actuator/health");
                Awaitility.await()
                        .atMost(LIMIT)
                        .until(() -> answer.isDone() || requestsInFlight(base) == 2); // that one and this question
                server.signal();
                Awaitility.await().atMost(LIMIT).until(() -> !accepts(base.getPort()));
            } finally {
                signal("CONT", postgres);
            }

            assertThat(answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS).body()).contains("\"status\":");
            assertThat(server.exitStatus()).isEqualTo(STATUS_OF_SIGTERM);
            assertThat(server.stdout()).endsWith("Rowlock has stopped\n");
            dataDir.awaitNoPostgres();
        }
    }

    @Test
    void sigtermDuringTheFirstStartLeavesNothingRunning() {
        try (TempDataDir dataDir = TempDataDir.create();
                ServerProcess server =
                        ServerProcess.launch(Map.of(), "serve", "--port", "0", "--data-dir", dataDir.toString())) {
            Awaitility.await()
                    .atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() ->
                            dataDir.path().resolve("postgres/global").toFile().exists());

            assertThat(server.terminate()).isEqualTo(STATUS_OF_SIGTERM);

            assertThat(server.stderr()).isEmpty();
            dataDir.awaitNoPostgres();
        }
    }

    private static long requestsInFlight(URI base) throws IOException, InterruptedException {
        return Http.get(base + "/actuator/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith("http_server_requests_active_seconds_count"))
                .mapToLong(line -> Math.round(Double.parseDouble(line.substring(line.lastIndexOf(' ')))))
                .sum();
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    private static void signal(String name, List<ProcessHandle> processes) throws IOException, InterruptedException {
        for (ProcessHandle process : processes) {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        }
    }
}
