package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * However a program ends, the next one on its data folder finds every committed row. Each test ends one and leaves another
 * one running for the next test, in any order.
 */
class RestartIT {
    private static final int STATUS_OF_SIGTERM = 143;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static TempDataDir dataDir;
    private static ServerProcess server;

    @BeforeAll
    static void startOnce() {
        dataDir = TempDataDir.create();
        server = ServerProcess.start("--data-dir", dataDir.toString());
    }

    @AfterAll
    static void cleanUp() {
        try (TempDataDir folder = dataDir) {
            if (server != null) {
                server.close();
            }
            assertThat(folder).isNotNull();
        }
    }

    @BeforeEach
    void commitANote() throws SQLException {
        Sql.execute(server.jdbcUrl(), "DROP TABLE IF EXISTS note");
        Sql.execute(server.jdbcUrl(), "CREATE TABLE note AS SELECT 'kept' AS text");
    }

    private static void startAgain() {
        server.close();
        server = ServerProcess.start("--data-dir", dataDir.toString());
    }

    private static void assertNoteIsThere() throws SQLException {
        assertThat(Sql.query(server.jdbcUrl(), "SELECT text FROM note")).isEqualTo("kept");
    }

    private static String log() throws IOException {
        return Files.readString(dataDir.path().resolve("postgres.log"));
    }

    @Test
    void sigtermStopsServiceAndPostgresAndTheNextStartSeesTheData() throws Exception {
        assertThat(server.terminate()).isEqualTo(STATUS_OF_SIGTERM);

        assertThat(dataDir.postgres()).isEmpty();
        assertThat(server.stdout()).endsWith("Rowlock has stopped\n");
        assertThat(dataDir.path().resolve("postgres/postmaster.pid")).doesNotExist();
        assertThat(log()).contains("database system is shut down");

        startAgain();
        assertNoteIsThere();
        assertThat(server.stderr()).isEmpty();
        assertThat(log()).doesNotContain("was not properly shut down");
    }

    @Test
    void programKilledAloneLeavesAPostgresThatTheNextStartStops() throws Exception {
        server.kill();
        List<ProcessHandle> orphans = dataDir.postgres();
        assertThat(orphans).isNotEmpty();

        startAgain();
        assertNoteIsThere();
        assertThat(server.stderr().lines())
                .singleElement()
                .asString()
                .contains("stopping the PostgreSQL that a killed Rowlock left running");
        assertThat(dataDir.postgres()).doesNotContainAnyElementsOf(orphans);
    }

    @Test
    void programAndPostgresKilledTogetherRecover() throws Exception {
        server.kill();
        dataDir.killPostgres();

        startAgain();
        assertNoteIsThere();
        assertThat(server.stderr()).isEmpty();
        assertThat(log()).contains("was not properly shut down; automatic recovery in progress");
    }

    /** After a power cut the id in the pid file may belong to anybody. */
    @Test
    void strangerWithTheProcessIdOfADeadPostgresIsLeftAlone() throws Exception {
        server.kill();
        dataDir.killPostgres();
        Path pidFile = dataDir.path().resolve("postgres/postmaster.pid");
        List<String> lines = new ArrayList<>(Files.readAllLines(pidFile));
        Process stranger = new ProcessBuilder("sleep", "300").start();
        try {
            lines.set(0, Long.toString(stranger.pid()));
            Files.write(pidFile, lines);

            startAgain();
            assertNoteIsThere();
            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void programEndsWhenItsPostgresIsKilledAndTheNextStartRecovers() throws Exception {
        dataDir.killPostgres();

        assertThat(server.exitStatus()).isEqualTo(1);
        assertThat(server.stderr()).contains("rowlock: PostgreSQL has ended and the service with it");

        startAgain();
        assertNoteIsThere();
    }

    /** PostgreSQL is frozen so that the request is still on its way when the signal comes. */
    @Test
    void requestInFlightIsAnsweredAlthoughTheSignalHasCome() throws Exception {
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

        startAgain();
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
