package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Whatever is killed, the next start finds every committed row. */
class CrashIT {
    @Test
    void programKilledAloneLeavesAPostgresThatTheNextStartStops() throws Exception {
        try (TempDataDir dataDir = TempDataDir.create()) {
            try (ServerProcess first = ServerProcess.start("--data-dir", dataDir.toString())) {
                Sql.execute(first.jdbcUrl(), "CREATE TABLE note AS SELECT 'kept' AS text");
                first.kill();
            }
            List<ProcessHandle> orphans = dataDir.postgres();
            assertThat(orphans).isNotEmpty();

            try (ServerProcess second = ServerProcess.start("--data-dir", dataDir.toString())) {
                assertThat(Sql.query(second.jdbcUrl(), "SELECT text FROM note")).isEqualTo("kept");
                assertThat(second.stderr().lines())
                        .singleElement()
                        .asString()
                        .contains("stopping the PostgreSQL that a killed Rowlock left running");
                assertThat(dataDir.postgres()).doesNotContainAnyElementsOf(orphans);
            }
        }
    }

    @Test
    void programAndPostgresKilledTogetherRecover() throws Exception {
        try (TempDataDir dataDir = TempDataDir.create()) {
            try (ServerProcess first = ServerProcess.start("--data-dir", dataDir.toString())) {
                Sql.execute(first.jdbcUrl(), "CREATE TABLE note AS SELECT 'kept' AS text");
                first.kill();
                dataDir.killPostgres();
            }
            Path pidFile = dataDir.path().resolve("postgres/postmaster.pid");
            assertThat(pidFile).exists();
            // The worst case of a restart after a power cut: the old id now belongs to a stranger, which must live.
            List<String> lines = new ArrayList<>(Files.readAllLines(pidFile));
            Process stranger = new ProcessBuilder("sleep", "300").start();
            try {
                lines.set(0, Long.toString(stranger.pid()));
                Files.write(pidFile, lines);

                try (ServerProcess second = ServerProcess.start("--data-dir", dataDir.toString())) {
                    assertThat(Sql.query(second.jdbcUrl(), "SELECT text FROM note"))
                            .isEqualTo("kept");
                    assertThat(second.stderr()).isEmpty();
                }
                assertThat(stranger.isAlive()).isTrue();
                assertThat(Files.readString(dataDir.path().resolve("postgres.log.1")))
                        .doesNotContain("was not properly shut down");
            } finally {
                stranger.destroyForcibly();
            }
        }
    }

    @Test
    void programEndsWhenItsPostgresIsKilledAndTheNextStartRecovers() throws Exception {
        try (TempDataDir dataDir = TempDataDir.create()) {
            try (ServerProcess first = ServerProcess.start("--data-dir", dataDir.toString())) {
                Sql.execute(first.jdbcUrl(), "CREATE TABLE note AS SELECT 'kept' AS text");
                dataDir.killPostgres();

                assertThat(first.exitStatus()).isEqualTo(1);
                assertThat(first.stderr()).contains("rowlock: PostgreSQL has ended and the service with it");
            }
            try (ServerProcess second = ServerProcess.start("--data-dir", dataDir.toString())) {
                assertThat(Sql.query(second.jdbcUrl(), "SELECT text FROM note")).isEqualTo("kept");
                assertThat(Files.readString(dataDir.path().resolve("postgres.log")))
                        .contains("was not properly shut down; automatic recovery in progress");
            }
        }
    }

    @Test
    void firstStartCutOffInTheMiddleIsSetAsideAndBegunAgain() throws Exception {
        try (TempDataDir dataDir = TempDataDir.create()) {
            try (ServerProcess first =
                    ServerProcess.launch(Map.of(), "serve", "--port", "0", "--data-dir", dataDir.toString())) {
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .pollInterval(Duration.ofMillis(10))
                        .until(() -> Files.exists(dataDir.path().resolve("postgres/global")));
                first.kill();
            }
            assertThat(dataDir.path().resolve("ready")).doesNotExist();

            try (ServerProcess second = ServerProcess.start("--data-dir", dataDir.toString())) {
                assertThat(second.stderr()).contains("cut off before it served anything");
                assertThat(dataDir.path().resolve("postgres.incomplete-1")).isDirectory();
                assertThat(dataDir.path().resolve("ready")).exists();
                assertThat(Http.get(second.baseUrl() + "/actuator/health").statusCode())
                        .isEqualTo(200);
            }
        }
    }
}
