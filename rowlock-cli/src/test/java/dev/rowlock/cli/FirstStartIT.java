package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A first start that does not get to its end. */
class FirstStartIT {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @Test
    void firstStartCutOffInTheMiddleIsSetAsideAndBegunAgain() throws Exception {
        try (TempDataDir dataDir = TempDataDir.create()) {
            try (ServerProcess first =
                    ServerProcess.launch(Map.of(), "serve", "--port", "0", "--data-dir", dataDir.toString())) {
                Awaitility.await()
                        .atMost(LIMIT)
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

            assertThat(server.terminate()).isEqualTo(143);

            assertThat(server.stderr()).isEmpty();
            dataDir.awaitNoPostgres();
        }
    }
}
