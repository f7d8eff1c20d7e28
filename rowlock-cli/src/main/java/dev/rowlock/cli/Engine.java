package dev.rowlock.cli;

import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.jspecify.annotations.Nullable;

/**
 * The programs of PostgreSQL, unpacked inside the data folder that they serve. That makes their origin a proof: a process
 * that runs one of them belongs to this data folder and to no other, whatever a stale pid file says.
 */
final class Engine {
    private static final String PREFIX = "engine-";
    private static final long POLL_MILLIS = 100;
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final DataFolder folder;
    private final Path home;
    private @Nullable Process running;
    private boolean cancelled;

    private Engine(DataFolder folder, Path home) {
        this.folder = folder;
        this.home = home;
    }

    /** The engine of this version, unpacked first where it is missing. */
    static Engine in(DataFolder folder, String version) throws IOException {
        Path home = folder.root().resolve(PREFIX + version);
        if (!Files.isDirectory(home)) {
            EngineArchive.unpackTo(home);
        }
        return new Engine(folder, home);
    }

    /** Every live process that runs a program of an engine in this folder, whichever version. */
    Stream<ProcessHandle> processes() {
        return ProcessHandle.allProcesses().filter(this::owns);
    }

    boolean owns(ProcessHandle process) {
        return process.info()
                .command()
                .filter(command ->
                        command.startsWith(folder.root().resolve(PREFIX).toString()))
                .isPresent();
    }

    /** Removes engines of other versions; call only while no process runs one. */
    void removeOthers() throws IOException {
        try (DirectoryStream<Path> engines = Files.newDirectoryStream(folder.root(), PREFIX + "*")) {
            for (Path engine : engines) {
                if (!engine.equals(home)) {
                    FileUtils.deleteDirectory(engine.toFile());
                }
            }
        }
    }

    /**
     * Runs a program to its end, its output going to the log.
     *
     * @return its exit status
     * @throws Refusal when it cannot be run, or is still at it when the limit is over
     */
    int run(Duration limit, String program, String... arguments) throws IOException {
        Process process;
        synchronized (this) {
            if (cancelled) {
                throw new IOException("stopping");
            }
            process = start(program, arguments);
            running = process;
        }
        return await(process, limit, program);
    }

    /** Ends the program that runs and lets no other one start. */
    synchronized void cancel() {
        cancelled = true;
        if (running != null) {
            running.destroy();
        }
    }

    /**
     * Stops whatever runs in this folder: the server in good order if it can, everything else at once. Committed data are
     * safe either way.
     */
    void stopServer(Optional<Postmaster> postmaster, Duration patience) throws IOException {
        if (postmaster.flatMap(Postmaster::process).filter(this::owns).isPresent()) {
            String seconds = Long.toString(patience.toSeconds());
            String data = folder.data().toString();
            Process stop = start("pg_ctl", "stop", "-D", data, "-m", "fast", "-w", "-t", seconds);
            await(stop, patience.plus(GRACE), "pg_ctl");
        }
        List<ProcessHandle> left = processes().toList();
        left.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle process : left) {
            awaitEnd(process);
        }
    }

    /** Where nobody collects the dead, a process stays listed without running anything: that counts as ended. */
    private void awaitEnd(ProcessHandle process) throws IOException {
        long waited = 0;
        while (owns(process) && !endsWithin(POLL_MILLIS, process)) {
            waited += POLL_MILLIS;
            if (waited > GRACE.toMillis()) {
                throw new Refusal("PostgreSQL process " + process.pid() + " cannot be stopped; stop it and try again");
            }
        }
    }

    private static boolean endsWithin(long millis, ProcessHandle process) throws IOException {
        try {
            process.onExit().get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IOException("cannot watch process " + process.pid(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while PostgreSQL stopped", e);
        }
    }

    private int await(Process process, Duration limit, String program) throws IOException {
        try {
            if (process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
                return process.exitValue();
            }
            process.destroyForcibly();
            throw new Refusal("PostgreSQL's " + program + " was still busy after " + limit.toSeconds() + " s; see "
                    + folder.log());
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + program + " ran", e);
        }
    }

    private Process start(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (LinuxUtils.isUnshareAvailable()) {
            // PostgreSQL refuses to run as root; in a user namespace of its own it does not see that it does.
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(home.resolve("bin").resolve(program).toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.root().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.log().toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        try {
            return builder.start();
        } catch (IOException e) {
            throw new Refusal(
                    "the built-in PostgreSQL does not run on this machine (" + Refusal.reason(e)
                            + "); run one yourself and name it with --url",
                    e);
        }
    }
}
