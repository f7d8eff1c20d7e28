package dev.rowlock.cli;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * What a command has started. It is closed in the reverse order, once, by whichever comes first: the end of the command,
 * its failure, or a signal.
 */
final class Running implements Closeable {
    private final Deque<Closeable> parts = new ArrayDeque<>();
    private final Object closing = new Object();
    private final CompletableFuture<Void> stopRequested = new CompletableFuture<>();
    private final PrintWriter out;
    private final PrintWriter err;
    private volatile boolean ready;

    Running(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    /** Lets Ctrl-C and SIGTERM close everything in order. Spring's own hook would race with it and must be off. */
    void closeOnSignal() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::closeAndSaySo, "rowlock-stop"));
    }

    /** Hands over something to close. Refused when closing has begun: nothing would close it any more. */
    <T extends Closeable> T add(T part) {
        synchronized (parts) {
            if (isStopping()) {
                throw new IllegalStateException("stopping");
            }
            parts.push(part);
        }
        return part;
    }

    /** From now on the user hears when it has stopped. */
    void announceReady(String line) {
        ready = true;
        out.println(line);
    }

    boolean isStopping() {
        return stopRequested.isDone();
    }

    /** Waits, for as long as the program lives, until somebody asks for the end or {@code other} completes. */
    void awaitStopOr(CompletableFuture<?> other) {
        CompletableFuture.anyOf(stopRequested, other).join();
    }

    private void closeAndSaySo() {
        try {
            close();
            if (ready) {
                out.println("Rowlock has stopped");
            }
        } catch (IOException e) {
            err.println("rowlock: did not stop in good order: " + Refusal.reason(e));
        }
    }

    /** Closes every part; a failing one does not spare the others. A second caller waits for the first. */
    @Override
    public void close() throws IOException {
        synchronized (closing) {
            synchronized (parts) {
                stopRequested.complete(null);
            }
            IOException first = null;
            while (!parts.isEmpty()) {
                try {
                    parts.pop().close();
                } catch (Throwable e) {
                    // Even an Error in one part must not leave PostgreSQL, another part, running.
                    if (first == null) {
                        first = new IOException(Refusal.reason(e), e);
                    } else {
                        first.addSuppressed(e);
                    }
                }
            }
            if (first != null) {
                throw first;
            }
        }
    }
}
