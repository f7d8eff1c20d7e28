package dev.rowlock.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.DatabaseTest;
import dev.rowlock.RowlockSchema;
import dev.rowlock.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Two processes work on one queue, and one is killed with jobs in hand. */
class KilledWorkerTest extends DatabaseTest {
    private static final int JOBS = 200;

    KilledWorkerTest() {
        super(
                "CREATE TABLE effect (job bigint NOT NULL)",
                "CREATE TABLE run (job bigint NOT NULL)",
                "CREATE TABLE completion (job bigint NOT NULL)");
    }

    private Process worker(int holdAfter) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WorkerProcess.class.getName(),
                        "jdbc:postgresql://localhost:" + TestDatabase.port() + "/" + database.name(),
                        "" + holdAfter)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void awaitLine(Process process, String wanted) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = lines.readLine();
        while (!wanted.equals(line)) {
            assertThat(line).as("the process ended").isNotNull();
            line = lines.readLine();
        }
    }

    @Test
    void jobsOfAKilledProcessRunElsewhereAndNoneIsCompletedTwice() throws Exception {
        RowlockSchema.install(rowlock);
        Jobs jobs = Jobs.over(rowlock);
        rowlock.run(tx -> jobs.enqueueAll(
                tx,
                IntStream.range(0, JOBS)
                        .mapToObj(i -> JobRequest.of(i % 2 == 0 ? "beside" : "in the transaction", "" + i))
                        .toList()));
        Process killed = worker(20);
        Process survivor = null;
        try {
            awaitLine(killed, WorkerProcess.HOLDING);
            long inHand = database.number("SELECT count(*) FROM rowlock_job WHERE state = 'running'");
            assertThat(inHand).isGreaterThanOrEqualTo(WorkerProcess.HANDLERS);
            survivor = worker(0);
            // The other one is at work, and has left what the first one holds alone.
            awaitTrue("SELECT count(*) >= " + JOBS / 4 + " FROM completion");
            killed.destroyForcibly();
            assertThat(killed.waitFor(20, TimeUnit.SECONDS)).isTrue();

            awaitTrue("SELECT count(*) = 0 FROM rowlock_job");
            survivor.destroy();
            assertThat(survivor.waitFor(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            killed.destroyForcibly();
            if (survivor != null) {
                survivor.destroyForcibly();
            }
        }
        assertThat(database.number("SELECT count(*) FROM effect")).isEqualTo(JOBS / 2);
        assertThat(database.number("SELECT count(DISTINCT job) FROM effect")).isEqualTo(JOBS / 2);
        assertThat(database.number("SELECT count(DISTINCT job) FROM run")).isEqualTo(JOBS / 2);
        assertThat(database.number("SELECT count(*) FROM completion"))
                .isEqualTo(database.number("SELECT count(DISTINCT job) FROM completion"));
    }

    private void awaitTrue(String condition) {
        Awaitility.await(condition)
                .atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> database.number("SELECT (" + condition + ")::int") == 1);
    }
}
