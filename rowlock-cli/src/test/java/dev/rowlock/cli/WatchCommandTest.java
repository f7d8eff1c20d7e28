package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code rowlock watch} over a server where one session really waits for another. */
class WatchCommandTest {
    private static final Terminal PIPE = new Terminal(false, false, 160, true);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Connection holder;
    private Connection waiter;
    private Thread waiting;

    @BeforeAll
    static void createTable() {
        TestPostgres.run(
                "CREATE TABLE wallet (id int PRIMARY KEY, balance int)",
                "INSERT INTO wallet VALUES (7, 100)",
                "CREATE ROLE onlooker LOGIN");
    }

    @AfterAll
    static void dropTable() {
        TestPostgres.run("DROP TABLE wallet", "DROP ROLE onlooker");
    }

    @BeforeEach
    void letOneWaitForTheOther() throws SQLException {
        holder = DriverManager.getConnection(TestPostgres.url() + "&ApplicationName=shop-api");
        waiter = DriverManager.getConnection(TestPostgres.url() + "&ApplicationName=shop-admin");
        holder.setAutoCommit(false);
        run(holder, "UPDATE wallet SET balance = 20 WHERE id = 7");
        FutureTask<Void> update = new FutureTask<>(() -> {
            run(waiter, "UPDATE wallet SET balance = 0 WHERE id = 7");
            return null;
        });
        waiting = new Thread(update);
        waiting.start();
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> TestPostgres.ask("SELECT 1 FROM pg_locks WHERE NOT granted")
                                .size()
                        == 1);
    }

    @AfterEach
    void letGo() throws Exception {
        holder.close();
        waiting.join();
        waiter.close();
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private CommandLine command() {
        CommandLine line =
                RowlockCommand.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        line.getSubcommands().get("watch").<WatchCommand>getCommand().printTo(PIPE);
        return line;
    }

    @Test
    void onceShowsTheWaitsOfThisMoment() {
        int status = command().execute("watch", "--once", TestPostgres.url());

        assertThat(status).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("1 session waits, the longest for ")
                .containsPattern("(?m)^\\d+  shop-api  postgres@\\S+  idle in transaction ")
                .containsPattern("(?m)^    \\d+  shop-admin ")
                .containsPattern("waits .* for row id=7 of wallet \\(FOR NO KEY UPDATE\\)");
        assertThat(err.toString()).isEmpty();
    }

    /** Numbers differ from run to run, and so does where it runs. */
    @Test
    void guideShowsWhatIsPrinted() throws IOException {
        Matcher sample = Pattern.compile("(?s)\n\\$ \\./rowlock watch --once [^\n]*\n(.*?)```")
                .matcher(Files.readString(Path.of("../docs/watch.md")).replace("\r\n", "\n"));
        assertThat(sample.find()).isTrue();

        assertThat(command().execute("watch", "--once", TestPostgres.url())).isZero();

        assertThat(steady(out.toString())).isEqualTo(steady(sample.group(1)));
    }

    private static String steady(String printed) {
        return printed.replace("\r\n", "\n")
                .replaceAll("jdbc:\\S+", "URL")
                .replaceAll("\\w+@[0-9.]+", "USER")
                .replaceAll("\\d+ min \\d+ s|\\d+\\.\\d s|\\d+ ms", "AGE")
                .replaceAll("(?m)^\\d\\d:\\d\\d:\\d\\d", "TIME")
                .replaceAll("(?m)^( *)\\d+  ", "$1PID  ")
                .replaceAll("deadlocks \\d+", "deadlocks N");
    }

    @Test
    void jsonHasEverything() {
        assertThat(command().execute("watch", "--json", "--once", TestPostgres.url()))
                .isZero();

        assertThat(out.toString().lines()).hasSize(1);
        JsonNode snapshot = new JsonMapper().readTree(out.toString());
        JsonNode wait = snapshot.get("waits").get(0);
        assertThat(wait.get("key").get("id").asString()).isEqualTo("7");
        assertThat(wait.get("kind").asString()).isEqualTo("row");
        assertThat(wait.get("mode").asString()).isEqualTo("FOR NO KEY UPDATE");
        assertThat(wait.get("blockers")).isEqualTo(snapshot.get("roots"));
        assertThat(snapshot.get("complete").asBoolean()).isTrue();
        assertThat(snapshot.get("sessions")).hasSize(2);
        assertThat(snapshot.propertyNames())
                .containsExactly("takenAt", "database", "deadlocks", "complete", "roots", "rings", "waits", "sessions");
    }

    @Test
    void roleWithoutRightsIsToldWhatItDoesNotSee() {
        assertThat(command().execute("watch", "--once", TestPostgres.url("onlooker")))
                .isZero();

        assertThat(out.toString())
                .contains("use a member of pg_monitor")
                .containsPattern("waits .* for row \\(0,\\d+\\) of wallet \\(FOR NO KEY UPDATE\\)")
                .doesNotContain("UPDATE wallet");
    }

    /** Interrupting is what Ctrl-C does to it, but for the process that ends with it. */
    @Test
    void liveViewIsPrintedAgainOnlyWhenSomethingHasChanged() throws Exception {
        FutureTask<Integer> watching =
                new FutureTask<>(() -> command().execute("watch", "--interval", "0.1", TestPostgres.url()));
        Thread thread = new Thread(watching);
        thread.start();
        awaitPrinted("1 session waits");

        holder.rollback();
        awaitPrinted("nobody waits");
        thread.interrupt();

        assertThat(watching.get(20, TimeUnit.SECONDS)).isZero();
        assertThat(out.toString().split("1 session waits", -1)).hasSize(2);
        assertThat(out.toString().split("nobody waits", -1)).hasSize(2);
    }

    @Test
    void serverThatEndsTheSessionIsAskedAgain() throws InterruptedException, ExecutionException {
        FutureTask<Integer> watching =
                new FutureTask<>(() -> command().execute("watch", "--json", "--interval", "0.1", TestPostgres.url()));
        Thread thread = new Thread(watching);
        thread.start();
        awaitPrinted("waits");

        TestPostgres.ask("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
                + " WHERE application_name = 'rowlock watch'");
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> err.toString().contains("asking again"));
        int printed = out.getBuffer().length();
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> out.getBuffer().length() > printed);
        thread.interrupt();

        assertThat(watching.get()).isZero();
    }

    private void awaitPrinted(String text) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> out.toString().contains(text));
    }
}
