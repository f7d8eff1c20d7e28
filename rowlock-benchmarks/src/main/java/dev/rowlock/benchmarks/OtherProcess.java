package dev.rowlock.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A second JVM with an {@link OtherWorker}, which can be killed or made to stand still. */
final class OtherProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    private OtherProcess(Process process) {
        this.process = process;
    }

    static OtherProcess start(Database database, TakeOverKind kind, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // It only has to be there soon.
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                OtherWorker.class.getName(),
                Integer.toString(database.port()),
                kind.name()));
        command.addAll(List.of(more));
        OtherProcess other = new OtherProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
        Thread reader = new Thread(other::read, "other-worker-output");
        reader.setDaemon(true);
        reader.start();
        return other;
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.add(line);
            }
        } catch (IOException e) {
            if (process.isAlive()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Returns when it has said a word so many times; anything else that it says is an error. */
    void await(String word, int times) throws InterruptedException, WrongResultException {
        await(List.of(word), times);
    }

    /** Returns when it has said so many of these words. */
    void await(List<String> words, int times) throws InterruptedException, WrongResultException {
        for (int i = 0; i < times; i++) {
            String next = said.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            WrongResultException.require(
                    next != null && words.contains(next),
                    "the other process said " + next + " instead of one of " + words);
        }
    }

    /** As kill -9 does. */
    void kill() {
        process.destroyForcibly();
    }

    /** It stands still, as in a long pause, and its connections stay open. */
    void stop() throws IOException, InterruptedException {
        signal("-STOP");
    }

    void goOn() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("kill " + name + " ended with " + status);
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
        process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}
