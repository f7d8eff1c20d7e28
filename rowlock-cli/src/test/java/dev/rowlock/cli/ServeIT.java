package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one running service answers, and what it answers to a second one. */
class ServeIT {
    private static TempDataDir dataDir;
    private static Path folder;
    private static ServerProcess server;

    @BeforeAll
    static void startOnce() {
        dataDir = TempDataDir.create();
        folder = dataDir.path().resolve("it's a folder; with spaces & more");
        server = ServerProcess.start("--data-dir", folder.toString());
    }

    @AfterAll
    static void stop() {
        try (TempDataDir removed = dataDir) {
            if (server != null) {
                server.close();
            }
            assertThat(removed).isNotNull();
        }
    }

    @Test
    void healthIsUpWithTheDatabase() throws Exception {
        assertThat(Http.get(server.baseUrl() + "/actuator/health").body())
                .contains("\"status\":\"UP\"")
                .contains("\"db\":{\"status\":\"UP\"}");
    }

    @Test
    void onlyHealthMetricsAndInfoAreExposed() throws Exception {
        assertThat(Http.get(server.baseUrl() + "/actuator/prometheus").statusCode())
                .isEqualTo(200);
        assertThat(Http.get(server.baseUrl() + "/actuator/info").statusCode()).isEqualTo(200);
        assertThat(Http.get(server.baseUrl() + "/actuator/env").statusCode()).isEqualTo(404);
        assertThat(Http.get(server.baseUrl() + "/actuator/heapdump").statusCode())
                .isEqualTo(404);
    }

    @Test
    void describesItselfAsOpenApi() throws Exception {
        assertThat(Http.get(server.baseUrl() + "/v3/api-docs").body()).contains("\"openapi\":\"3.");
    }

    @Test
    void saysOnlyWhatIsWorthReading() {
        assertThat(server.stderr()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fsync", "synchronous_commit", "full_page_writes"})
    void settingIsDurable(String setting) throws SQLException {
        assertThat(Sql.query(server.jdbcUrl(), "SHOW " + setting)).isEqualTo("on");
    }

    @Test
    void databaseAsksForThePasswordAndListensOnLoopbackOnly() throws Exception {
        assertThatThrownBy(() -> Sql.query(server.databaseUrl() + "?user=postgres&password=guess", "SELECT 1"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
        assertThat(Sql.query(server.jdbcUrl(), "SHOW listen_addresses")).isEqualTo("127.0.0.1");
        Path password = folder.resolve("password");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(password)))
                .isEqualTo("rw-------");
    }

    @Test
    void secondServeOnTheSameDataDirIsRefusedNamingTheHolder() {
        Refused.serve(Map.of(), "--port", "0", "--data-dir", folder.toString())
                .contains(folder.toString())
                .contains("in use by process " + server.pid());
    }

    @Test
    void takenPortIsRefusedBeforeAnythingIsCreated() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
                TempDataDir other = TempDataDir.create()) {
            Refused.serve(Map.of(), "--port", Integer.toString(taken.getLocalPort()), "--data-dir", other.toString())
                    .contains("port " + taken.getLocalPort() + " is taken");
            assertThat(other.path()).isEmptyDirectory();
        }
    }

    @Test
    void secondServiceSharesTheDatabaseWithThePasswordFromTheEnvironment() throws Exception {
        String[] arguments = {"serve", "--port", "0", "--url", server.databaseUrl(), "--user", "postgres"};
        Map<String, String> environment = Map.of("ROWLOCK_PASSWORD", server.password());
        try (ServerProcess second = ServerProcess.launch(environment, arguments).awaitReady()) {
            assertThat(Http.get(second.baseUrl() + "/actuator/health").body()).contains("\"status\":\"UP\"");
            assertThat(second.baseUrl()).isNotEqualTo(server.baseUrl());
        }
        assertThat(Http.get(server.baseUrl() + "/actuator/health").statusCode()).isEqualTo(200);
    }

    @Test
    void wrongPasswordIsRefused() {
        Refused.serve(
                        Map.of("ROWLOCK_PASSWORD", "guess"),
                        "--port",
                        "0",
                        "--url",
                        server.databaseUrl(),
                        "--user",
                        "postgres")
                .contains("cannot connect to " + server.databaseUrl())
                .contains("password authentication failed");
    }

    @Test
    void migrationThatFailsIsOneLine() throws SQLException {
        Sql.execute(server.jdbcUrl(), "CREATE ROLE visitor LOGIN PASSWORD 'visitor'");
        Refused.serve(
                        Map.of("ROWLOCK_PASSWORD", "visitor"),
                        "--port",
                        "0",
                        "--url",
                        server.databaseUrl(),
                        "--user",
                        "visitor")
                .contains("the service cannot start")
                .contains("permission denied");
    }
}
