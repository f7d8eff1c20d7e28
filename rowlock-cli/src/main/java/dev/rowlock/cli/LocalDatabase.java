package dev.rowlock.cli;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL of our own over a data folder that survives restarts, crashes and power cuts. It listens on loopback only,
 * asks for a password, and runs with durable settings or not at all.
 */
final class LocalDatabase implements Closeable {
    static final String USER = "postgres";
    private static final String NAME = "rowlock";
    private static final Duration INITDB_LIMIT = Duration.ofMinutes(2);
    static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    private final DataFolder folder;
    private final Consumer<String> notices;
    private final BuildInfo build = BuildInfo.load();
    private @Nullable Engine engine;
    private @Nullable Postmaster postmaster;

    private LocalDatabase(DataFolder folder, Consumer<String> notices) {
        this.folder = folder;
        this.notices = notices;
    }

    /**
     * Takes the folder; {@link #start} does the rest.
     *
     * @param notices is told, in one line each, what a start had to put right
     */
    static LocalDatabase at(Path folder, Consumer<String> notices) {
        return new LocalDatabase(DataFolder.open(folder), notices);
    }

    /** Brings the server up, whatever the last one left behind. */
    void start() {
        try {
            rotateLog();
            Engine unpacked = unpack();
            LeftBehind left = new LeftBehind(folder, unpacked, notices);
            left.stopServer();
            unpacked.removeOthers();
            left.setIncompleteAside();
            if (Files.exists(folder.data())) {
                left.requireUsable(build.postgresMajor());
            } else {
                createData(unpacked);
            }
            postmaster = new ServerStart(folder, unpacked).run();
            prepare();
        } catch (IOException e) {
            throw DataFolder.unusable(folder.root(), e);
        }
    }

    private void rotateLog() throws IOException {
        if (Files.exists(folder.log())) {
            Files.move(
                    folder.log(),
                    folder.root().resolve("postgres.log.1"),
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private Engine unpack() throws IOException {
        Engine unpacked = Engine.in(folder, build.postgres());
        synchronized (this) {
            engine = unpacked;
        }
        return unpacked;
    }

    private void createData(Engine unpacked) throws IOException {
        folder.createPassword();
        int status = unpacked.run(
                INITDB_LIMIT,
                "initdb",
                "--pgdata=" + folder.data(),
                "--username=" + USER,
                "--pwfile=" + folder.passwordFile(),
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                // The same order of texts on every machine, whatever its locale and its C library.
                "--locale=C",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8");
        if (status != 0) {
            throw new Refusal(
                    "cannot create a database in " + folder.root() + ": " + PostgresLog.lastError(folder.log()));
        }
    }

    private void prepare() throws IOException {
        try {
            try (Connection admin = connect("postgres");
                    Statement statement = admin.createStatement()) {
                if (!exists(statement)) {
                    statement.execute("CREATE DATABASE " + NAME);
                }
            }
            try (Connection connection = connect(NAME)) {
                Durability.require(connection, folder.data());
            }
        } catch (SQLException e) {
            throw new Refusal("cannot open the database in " + folder.root() + ": " + Refusal.reason(e), e);
        }
        if (!folder.isReady()) {
            folder.markReady(build.postgres());
        }
    }

    private static boolean exists(Statement statement) throws SQLException {
        try (ResultSet found = statement.executeQuery("SELECT 1 FROM pg_database WHERE datname = '" + NAME + "'")) {
            return found.next();
        }
    }

    private Connection connect(String database) throws SQLException, IOException {
        return DriverManager.getConnection(jdbcUrl(database), USER, password());
    }

    String jdbcUrl() {
        return jdbcUrl(NAME);
    }

    private String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:" + started().port() + "/" + database;
    }

    String password() throws IOException {
        return folder.password();
    }

    DataFolder folder() {
        return folder;
    }

    /** Completes when the server is gone, for whatever reason. */
    CompletableFuture<?> gone() {
        return started().process().map(ProcessHandle::onExit).orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    private Postmaster started() {
        if (postmaster == null) {
            throw new IllegalStateException("not started");
        }
        return postmaster;
    }

    /** Stops the server, or the start that another thread is in the middle of, and gives the folder back. */
    @Override
    public void close() throws IOException {
        Engine unpacked;
        synchronized (this) {
            unpacked = engine;
        }
        try (folder) {
            if (unpacked != null) {
                unpacked.cancel();
                unpacked.stopServer(Postmaster.of(folder.data()), STOP_LIMIT);
            }
        }
    }
}
