package dev.rowlock.prover.engine;

import org.jspecify.annotations.Nullable;

/** A race cannot be run: its setup fails, or the server does not answer. Says nothing about the race itself. */
public final class RaceException extends RuntimeException {
    public RaceException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
