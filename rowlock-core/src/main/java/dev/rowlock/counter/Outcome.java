package dev.rowlock.counter;

import org.jspecify.annotations.Nullable;

/** What a request came to: an answer, an error, or neither because another transaction holds one of its rows. */
record Outcome(@Nullable Changes answer, @Nullable Throwable error) {
    static final Outcome DEFERRED = new Outcome(null, null);

    static Outcome of(Changes answer) {
        return new Outcome(answer, null);
    }

    static Outcome failed(Throwable error) {
        return new Outcome(null, error);
    }

    boolean isDeferred() {
        return answer == null && error == null;
    }
}
