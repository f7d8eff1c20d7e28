package dev.rowlock.counter;

import dev.rowlock.Key;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** What one caller asks for: changes of one or several rows, together or not at all. */
final class Request {
    private final List<Part> parts;
    private final Set<Key> keys;
    private final boolean async;
    private final long deadlineNanos;
    private final CompletableFuture<Changes> answer = new CompletableFuture<>();

    /** A change of one row. */
    record Part(Key key, long delta) {}

    /**
     * @param async whether nobody waits for the answer in a thread
     * @param deadlineNanos when it must have been begun, on the clock of {@link System#nanoTime}
     */
    Request(List<Part> parts, boolean async, long deadlineNanos) {
        this.parts = List.copyOf(parts);
        this.keys = parts.stream().map(Part::key).collect(Collectors.toUnmodifiableSet());
        this.async = async;
        this.deadlineNanos = deadlineNanos;
    }

    List<Part> parts() {
        return parts;
    }

    Set<Key> keys() {
        return keys;
    }

    boolean isAsync() {
        return async;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    /** Completed once, when the outcome is durable or known not to be. */
    CompletableFuture<Changes> answer() {
        return answer;
    }

    @Override
    public String toString() {
        return parts.toString();
    }

    void complete(Outcome outcome) {
        if (outcome.answer() != null) {
            answer.complete(outcome.answer());
        } else if (outcome.error() != null) {
            answer.completeExceptionally(outcome.error());
        } else {
            throw new IllegalStateException("a request that waits has no answer");
        }
    }
}
