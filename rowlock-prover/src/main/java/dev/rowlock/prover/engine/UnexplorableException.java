package dev.rowlock.prover.engine;

/** A schedule shows that the race cannot be explored to its end: the verdict is undecided, for the reason in the message. */
final class UnexplorableException extends RuntimeException {
    UnexplorableException(String reason) {
        super(reason);
    }
}
