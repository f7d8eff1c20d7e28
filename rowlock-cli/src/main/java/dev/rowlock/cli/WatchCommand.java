package dev.rowlock.cli;

import dev.rowlock.watch.waits.LockSnapshot;
import dev.rowlock.watch.waits.LockWaits;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rowlock watch}: who waits for whom on a PostgreSQL. */
@Command(
        name = "watch",
        mixinStandardHelpOptions = true,
        versionProvider = BuildInfo.Versions.class,
        description = "Shows who waits for whom on a PostgreSQL, until Ctrl-C: which session holds up which others, on"
                + " which row, for how long, and with which statements. It changes nothing there.",
        sortOptions = false,
        exitCodeListHeading = "Exit status:%n",
        exitCodeList = {"0:done", "2:the server cannot be asked (with --once, or at the start), or an argument is wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  rowlock watch jdbc:postgresql://db.example.org/shop?user=monitor",
            "  rowlock watch --once --json jdbc:postgresql://localhost/shop?user=monitor",
            "%nThe password may stand in the URL (&password=…), where others can read it in the process list, or in the"
                    + " environment variable " + RemoteDatabase.PASSWORD_VARIABLE + ".",
            "A role that is no member of pg_monitor sees who waits for whom, but not what other roles' sessions do."
        })
final class WatchCommand implements Callable<Integer> {
    private static final int PATIENCE_SECONDS = 10;
    private static final String CLEAR = "\u001b[2J\u001b[H";

    private Supplier<Terminal> stdout = Terminal::detect;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "JDBC_URL",
            description = "The database: jdbc:postgresql://host:5432/database?user=…%n"
                    + "Waits of the server's other databases are shown too, without names of their tables.")
    private String url = "";

    @Option(names = "--once", description = "Show the waits of this moment and end.")
    private boolean once;

    @Option(names = "--json", description = "Print each snapshot as one line of JSON instead.")
    private boolean json;

    @Option(
            names = "--interval",
            paramLabel = "S",
            defaultValue = "1",
            description = "Seconds from one snapshot to the next, 0.1 to 3600 (default: ${DEFAULT-VALUE}).")
    private double intervalSeconds;

    /** Takes the terminal as it is told instead of looking at the process's own. */
    void printTo(Terminal terminal) {
        stdout = () -> terminal;
    }

    @Override
    public Integer call() {
        // Not a number is neither too small nor too large.
        if (!(intervalSeconds >= 0.1 && intervalSeconds <= 3600)) {
            throw new ParameterException(
                    spec.commandLine(), "--interval is " + intervalSeconds + "; it must be 0.1 to 3600 seconds");
        }
        PGSimpleDataSource source = source();
        Terminal terminal = stdout.get();
        WatchScreen screen = new WatchScreen(terminal, ZoneId.systemDefault(), RemoteDatabase.redact(url));
        Connection connection;
        try {
            connection = source.getConnection();
        } catch (SQLException e) {
            throw new Refusal(
                    "cannot connect to " + RemoteDatabase.redact(url) + ": " + RemoteDatabase.redact(Refusal.reason(e))
                            + "; check the URL, its user, and the password in it or in "
                            + RemoteDatabase.PASSWORD_VARIABLE,
                    e);
        }
        if (once) {
            try (connection) {
                show(LockWaits.snapshot(connection), screen, terminal, "");
                return spec.exitCodeOnSuccess();
            } catch (SQLException e) {
                throw new Refusal("the server does not tell its waits: " + Refusal.reason(e), e);
            }
        }
        return watch(source, connection, screen, terminal);
    }

    private PGSimpleDataSource source() {
        if (!RemoteDatabase.isPostgresUrl(url)) {
            throw RemoteDatabase.notAnUrl(url);
        }
        PGSimpleDataSource source = new PGSimpleDataSource();
        try {
            source.setURL(url);
        } catch (IllegalArgumentException e) {
            throw RemoteDatabase.notAnUrl(url);
        }
        String secret = System.getenv(RemoteDatabase.PASSWORD_VARIABLE);
        if (source.getPassword() == null && secret != null) {
            source.setPassword(secret);
        }
        source.setApplicationName("rowlock watch");
        source.setLoginTimeout(PATIENCE_SECONDS);
        source.setSocketTimeout(PATIENCE_SECONDS);
        return source;
    }

    /** Until the process or this thread is told to end. A server that goes away is asked again and again. */
    private int watch(PGSimpleDataSource source, Connection first, WatchScreen screen, Terminal terminal) {
        Connection connection = first;
        String clear = terminal.interactive() && !json ? CLEAR : "";
        CountDownLatch never = new CountDownLatch(1);
        long interval = Duration.ofNanos(Math.round(intervalSeconds * 1e9)).toNanos();
        String shown = "";
        try {
            do {
                try {
                    if (connection == null) {
                        connection = source.getConnection();
                    }
                    LockSnapshot snapshot = LockWaits.snapshot(connection);
                    // In a log the same waits again and again would bury everything else.
                    String now = snapshot.waits().stream()
                                    .map(wait -> wait.pid() + " " + wait.blockers() + wait.lock())
                                    .sorted()
                                    .toList()
                            + " " + snapshot.deadlocks();
                    if (json || terminal.interactive() || !now.equals(shown)) {
                        show(snapshot, screen, terminal, clear);
                    }
                    shown = now;
                } catch (SQLException e) {
                    out().print(clear);
                    out().flush();
                    err().println("rowlock: no answer from the server, asking again: " + Refusal.reason(e));
                    err().flush();
                    close(connection);
                    connection = null;
                }
            } while (!never.await(interval, TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close(connection);
        }
        return spec.exitCodeOnSuccess();
    }

    private void close(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            err().println("rowlock: " + Refusal.reason(e));
        }
    }

    private void show(LockSnapshot snapshot, WatchScreen screen, Terminal terminal, String clear) {
        if (json) {
            out().println(WatchJson.line(snapshot));
        } else {
            out().print(clear);
            fitting(screen.lines(snapshot), clear.isEmpty() ? OptionalInt.empty() : Terminal.rows())
                    .forEach(out()::println);
            if (!terminal.interactive() && !once) {
                out().println();
            }
        }
        out().flush();
    }

    /** What is at the top matters most: nothing may push it out of a terminal that is redrawn. */
    private static List<String> fitting(List<String> lines, OptionalInt rows) {
        int room = rows.orElse(Integer.MAX_VALUE) - 2;
        if (lines.size() <= room || room < 2) {
            return lines;
        }
        List<String> top = new ArrayList<>(lines.subList(0, room));
        top.add("... and " + (lines.size() - room) + " more lines (a taller window, or --once, shows them)");
        return top;
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }
}
