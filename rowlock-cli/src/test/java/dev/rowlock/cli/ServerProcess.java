package dev.rowlock.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/**
 * The program in its real jar, run as a process of its own: {@code ServerProcess.start("--port", "0", "--url", url)}.
 * Closing it terminates it, and kills it when that does not help; what it was started on is the caller's to clean up.
 */
public final class ServerProcess implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Pattern READY = Pattern.compile("Rowlock is ready at (http://\\S+)");
    private static final Pattern DATABASE =
            Pattern.compile("PostgreSQL is up at (\\S+) \\(user (\\S+), password in (.+)\\)");

    private final Process process;
    private final Path stdout;
    private final Path stderr;

    private ServerProcess(Process process, Path stdout, Path stderr) {
        this.process = process;
        this.stdout = stdout;
        this.stderr = stderr;
    }

    /** {@code rowlock serve --port 0} with further arguments, once it is ready for requests. */
    public static ServerProcess start(String... arguments) {
        List<String> all = new ArrayList<>(List.of("serve", "--port", "0"));
        all.addAll(List.of(arguments));
        return launch(Map.of(), all.toArray(String[]::new)).awaitReady();
    }

    /** {@code rowlock} with exactly these arguments and these variables on top of our own; returns at once. */
    public static ServerProcess launch(Map<String, String> environment, String... arguments) {
        // Starts quicker; nothing else about the program changes.
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-jar", System.getProperty("rowlock.jar", "target/rowlock.jar")));
        command.addAll(List.of(arguments));
        try {
            Path stdout = Files.createTempFile("rowlock-", ".out");
            Path stderr = Files.createTempFile("rowlock-", ".err");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(stdout.toFile()).redirectError(stderr.toFile());
            builder.environment().putAll(environment);
            return new ServerProcess(builder.start(), stdout, stderr);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the ready line; fails with everything it said when it ends before. */
    public ServerProcess awaitReady() {
        try {
            Awaitility.await()
                    .atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> READY.matcher(stdout()).find() || !process.isAlive());
        } catch (RuntimeException e) {
            kill();
            throw new AssertionError("not ready within " + LIMIT + saidSoFar(), e);
        }
        if (!READY.matcher(stdout()).find()) {
            throw new AssertionError("ended with status " + process.exitValue() + saidSoFar());
        }
        return this;
    }

    private String saidSoFar() {
        return "\nstdout:\n" + stdout() + "\nstderr:\n" + stderr();
    }

    /** {@code http://127.0.0.1:<port>}, without a slash at the end. */
    public String baseUrl() {
        return group(READY, 1);
    }

    /** URL of the built-in database, complete with user and password: good for JDBC and for {@code --url}. */
    public String jdbcUrl() {
        return databaseUrl() + "?user=" + group(DATABASE, 2) + "&password=" + password();
    }

    /** The same URL without user and password. */
    public String databaseUrl() {
        return group(DATABASE, 1);
    }

    /** The password of the built-in database's superuser. */
    public String password() {
        return read(Path.of(group(DATABASE, 3))).strip();
    }

    private String group(Pattern pattern, int group) {
        Matcher matcher = pattern.matcher(stdout());
        if (!matcher.find()) {
            throw new AssertionError("nothing like '" + pattern + "' so far" + saidSoFar());
        }
        return matcher.group(group);
    }

    /** Everything it wrote to stdout so far. */
    public String stdout() {
        return read(stdout);
    }

    /** Everything it wrote to stderr so far. */
    public String stderr() {
        return read(stderr);
    }

    /** The process id of the JVM. */
    public long pid() {
        return process.pid();
    }

    /** {@code kill -9}: the JVM has no chance to do anything; a built-in PostgreSQL goes on without it. */
    public void kill() {
        process.destroyForcibly();
        exitStatus();
    }

    /** SIGTERM, as by a service manager; returns the exit status. */
    public int terminate() {
        signal();
        return exitStatus();
    }

    /** SIGTERM without waiting for what follows. */
    public void signal() {
        process.destroy();
    }

    /** Waits for the end. */
    public int exitStatus() {
        try {
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("still running after " + LIMIT + saidSoFar());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            terminate();
        } finally {
            process.destroyForcibly();
            delete(stdout);
            delete(stderr);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
