package dev.rowlock.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.watch.audit.Audit;
import dev.rowlock.watch.audit.Hazard;
import dev.rowlock.watch.audit.LockAudits;
import dev.rowlock.watch.junit.Allow;
import dev.rowlock.watch.junit.LockAudit;
import dev.rowlock.watch.trace.ExpectedLock;
import dev.rowlock.watch.trace.TestServer;
import dev.rowlock.watch.trace.Trace;
import dev.rowlock.watch.trace.TracedStatement;
import dev.rowlock.watch.waits.LockSnapshot;
import dev.rowlock.watch.waits.LockWaits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import shop.Wallets;

/** Every piece of Java in docs/watch.md stands here too, and does what the page says. */
@SuppressWarnings("try") // The block is what counts
class WatchGuideTest {
    private final DataSource dataSource = TestServer.dataSource();

    @BeforeEach
    void prepare() throws SQLException {
        TestServer.prepare();
    }

    @Test
    void traceKeepsWhatItLogs() throws SQLException {
        Trace trace = Trace.builder().logging().build();
        DataSource traced = trace.over(dataSource);

        new Wallets(traced).autoCommit(connection -> Wallets.number(connection, "SELECT 1 FROM pg_sleep(?)", 0.01));

        List<String> slow = trace.statements()
                .filter(statement -> statement.times().databaseNanos() > 1_000_000)
                .map(TracedStatement::text)
                .toList();
        assertThat(slow).containsExactly("SELECT 1 FROM pg_sleep(0.01)");
    }

    @Test
    void auditCounts() throws SQLException {
        Map<String, Integer> counts = new HashMap<>();

        Audit audit = Audit.builder()
                .versioned("product", "version")
                .wideLockRows(100)
                .longHold(Duration.ofMillis(100))
                .onFinding(finding -> counts.merge(finding.hazard().id(), 1, Integer::sum))
                .logging()
                .build();
        DataSource audited = Trace.builder().listener(audit).build().over(dataSource);

        new Wallets(audited).autoCommit(connection -> {
            Repository repository = id -> Wallets.number(connection, "SELECT id FROM wallet WHERE id = ?", id);
            try (ExpectedLock expected = ExpectedLock.on("wallet")) {
                repository.findLocked(1);
            }
        });
        assertThat(counts).containsExactly(Map.entry("lock-not-sent", 1));
    }

    /** Such as that of a framework. */
    @FunctionalInterface
    private interface Repository {
        void findLocked(int id) throws SQLException;
    }

    @Nested
    @LockAudit(
            versioned = "product.version",
            allow = @Allow(value = Hazard.WIDE_LOCK, table = "seat", reason = "nothing else runs at night"))
    class AuditedTest {
        private final DataSource dataSource = LockAudits.watch(TestServer.dataSource());

        @Test
        void chargeIsRight() throws SQLException {
            new Wallets(dataSource).charge(1, 10);
        }
    }

    @Test
    void lockWaitsAreTold() throws Exception {
        List<String> lines = new ArrayList<>();
        FutureTask<Void> update = new FutureTask<>(() -> {
            new Wallets(dataSource).autoCommit(connection -> update(connection, 2));
            return null;
        });
        try (Connection holder = dataSource.getConnection()) {
            holder.setAutoCommit(false);
            update(holder, 1);
            new Thread(update).start();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> !LockWaits.of(dataSource).snapshot().waits().isEmpty());

            LockSnapshot now = LockWaits.of(dataSource).snapshot();
            for (int pid : now.roots()) {
                now.blockedBy(pid)
                        .forEach(wait -> lines.add(pid + " holds up " + wait.pid() + ": "
                                + wait.lock().describe()));
            }
        }
        update.get();

        assertThat(lines)
                .singleElement()
                .asString()
                .matches("\\d+ holds up \\d+: row id=1 of wallet \\(FOR NO KEY UPDATE\\)");
    }

    private static void update(Connection connection, int balance) throws SQLException {
        Wallets.update(connection, "UPDATE wallet SET balance = ? WHERE id = 1", balance);
    }

    @Test
    void pageShowsWhatStandsHere() throws IOException {
        String here = flat(Files.readString(Path.of("src/test/java/dev/rowlock/watch/WatchGuideTest.java")));
        String page = Files.readString(Path.of("../docs/watch.md"));
        Matcher blocks = Pattern.compile("```java\r?\n(.*?)```", Pattern.DOTALL).matcher(page);
        List<String> shown = blocks.results().map(block -> flat(block.group(1))).toList();

        assertThat(shown).hasSize(6).allSatisfy(block -> assertThat(here).contains(block));
        assertThat(Arrays.stream(Hazard.values()))
                .allSatisfy(hazard -> assertThat(page).contains("| `" + hazard.id() + "` |"));
    }

    @Test
    void readmeShowsTheSameAnnotation() throws IOException {
        String here = flat(Files.readString(Path.of("src/test/java/dev/rowlock/watch/WatchGuideTest.java")));
        Matcher block = Pattern.compile("```java\r?\n(@LockAudit.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../README.md")));

        assertThat(block.find()).isTrue();
        assertThat(here).contains(flat(block.group(1)));
    }

    /** Without white space, which the formatter and the width of a page decide. */
    private static String flat(String source) {
        return source.replaceAll("\\s+", "");
    }
}
