package dev.rowlock.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code rowlock serve}: the service, over the PostgreSQL inside the program or over any other. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        versionProvider = BuildInfo.Versions.class,
        description = "Runs the service until Ctrl-C. Without --url it brings its own PostgreSQL.",
        sortOptions = false)
final class ServeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "Port to listen on, 0 for any free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Address to listen on (default: ${DEFAULT-VALUE}, this machine only).")
    private String address = "";

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Where the built-in PostgreSQL keeps its data (default: .rowlock in the working folder).")
    private @Nullable Path dataDir;

    @Option(
            names = "--url",
            paramLabel = "JDBC",
            description = "Use this PostgreSQL instead, e.g. jdbc:postgresql://localhost:5432/shop.")
    private @Nullable String url;

    @Option(names = "--user", paramLabel = "USER", description = "User for --url.")
    private @Nullable String user;

    @Option(
            names = "--password",
            paramLabel = "PASSWORD",
            description = "Password for --url. Others can read it in the process list; the environment variable "
                    + RemoteDatabase.PASSWORD_VARIABLE + " keeps it to yourself.")
    private @Nullable String password;

    @Override
    public Integer call() throws IOException {
        requireSense();
        ListenAddress listen = ListenAddress.of(address, port);
        try (Running running = new Running(out(), err())) {
            running.closeOnSignal();
            try {
                return serve(listen, running);
            } catch (Refusal | IllegalStateException e) {
                if (running.isStopping()) {
                    // Whatever failed did so because a signal took it away; the signal has the last word.
                    return spec.exitCodeOnSuccess();
                }
                throw e;
            }
        }
    }

    private void requireSense() {
        if (url != null && dataDir != null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--url and --data-dir exclude each other: a database of yours, or the built-in one");
        }
        if (url == null && (user != null || password != null)) {
            throw new ParameterException(spec.commandLine(), (user != null ? "--user" : "--password") + " needs --url");
        }
    }

    private int serve(ListenAddress listen, Running running) throws IOException {
        listen.requireFree();
        Map<String, Object> settings = new HashMap<>();
        settings.put("server.address", listen.address().getHostAddress());
        settings.put("server.port", listen.port());
        CompletableFuture<?> databaseGone =
                url == null ? useLocalDatabase(settings, running) : useDatabaseAt(url, settings);
        int realPort = WebService.start(settings, running);
        running.announceReady("Rowlock is ready at " + listen.url(realPort) + " (Ctrl-C stops it)");
        running.awaitStopOr(databaseGone);
        if (!running.isStopping()) {
            err().println("rowlock: PostgreSQL has ended and the service with it; start again to recover the data");
            return spec.exitCodeOnExecutionException();
        }
        return spec.exitCodeOnSuccess();
    }

    private CompletableFuture<?> useLocalDatabase(Map<String, Object> settings, Running running) throws IOException {
        Path folder = dataDir == null ? Path.of(".rowlock") : dataDir;
        LocalDatabase database = running.add(LocalDatabase.at(folder, notice -> err().println("rowlock: " + notice)));
        database.start();
        settings.put("spring.datasource.url", database.jdbcUrl());
        settings.put("spring.datasource.username", LocalDatabase.USER);
        settings.put("spring.datasource.password", database.password());
        out().println("PostgreSQL is up at " + database.jdbcUrl() + " (user " + LocalDatabase.USER + ", password in "
                + database.folder().passwordFile() + ")");
        return database.gone();
    }

    private CompletableFuture<?> useDatabaseAt(String jdbcUrl, Map<String, Object> settings) {
        String secret = password == null ? System.getenv(RemoteDatabase.PASSWORD_VARIABLE) : password;
        RemoteDatabase.require(jdbcUrl, user, secret);
        settings.put("spring.datasource.url", jdbcUrl);
        if (user != null) {
            settings.put("spring.datasource.username", user);
        }
        if (secret != null) {
            settings.put("spring.datasource.password", secret);
        }
        return new CompletableFuture<Void>();
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }
}
