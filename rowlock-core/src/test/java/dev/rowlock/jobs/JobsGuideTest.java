package dev.rowlock.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.DatabaseTest;
import dev.rowlock.RowlockSchema;
import dev.rowlock.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The example of docs/jobs.md, as it stands there. */
class JobsGuideTest extends DatabaseTest {
    private static final Table ORDERS = Table.of("ord", "id");
    private static final Table BOOKINGS = Table.of("booking", "order_id");

    private final Queue<String> mails = new ConcurrentLinkedQueue<>();

    JobsGuideTest() {
        super("CREATE TABLE ord (id bigint PRIMARY KEY)", "CREATE TABLE booking (order_id bigint PRIMARY KEY)");
    }

    private Worker example(DataSource dataSource) {
        // guide: begin
        Jobs jobs = Jobs.over(rowlock);

        // In the caller's transaction: no worker sees the job before the commit, and none is lost after it.
        rowlock.run(tx -> {
            tx.insert(ORDERS).set("id", 7).apply();
            jobs.enqueue(tx, JobRequest.of("mail", "order 7"));
            jobs.enqueue(
                    tx,
                    JobRequest.of("remind", "order 7")
                            .delayedBy(Duration.ofDays(3))
                            .withUniqueKey("remind 7"));
            jobs.enqueue(tx, JobRequest.of("book", "7").inGroup("account 1"));
        });

        Worker worker = jobs.worker()
                .listenOn(dataSource)
                .handle("mail", job -> mails.add(job.payload())) // at least once
                .handle(
                        "book",
                        job -> rowlock.run(
                                tx -> { // exactly once: effect and completion commit together
                                    job.completeIn(tx);
                                    tx.insert(BOOKINGS)
                                            .set("order_id", Long.valueOf(job.payload()))
                                            .apply();
                                }))
                .start();
        // guide: end
        return worker;
    }

    @Test
    void doesWhatThePageSays() {
        RowlockSchema.install(rowlock);
        try (Worker worker = example(database.pool())) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> database.number("SELECT count(*) FROM rowlock_job") == 1);
        }
        assertThat(mails).containsExactly("order 7");
        assertThat(database.number("SELECT count(*) FROM booking")).isEqualTo(1);
    }

    @Test
    void standsOnThePageToTheLetter() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/rowlock/jobs/JobsGuideTest.java"));
        String begin = "        // guide: begin\n";
        String snippet =
                source.substring(source.indexOf(begin) + begin.length(), source.indexOf("        // guide: end"));

        assertThat(Files.readString(Path.of("../docs/jobs.md")).replace("\r\n", "\n"))
                .contains("```java\n" + snippet.replaceAll("(?m)^ {8}", "") + "```");
    }
}
