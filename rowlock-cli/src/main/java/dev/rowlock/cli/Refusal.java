package dev.rowlock.cli;

import org.jspecify.annotations.Nullable;

/**
 * A start that the user can put right: its message is the one line on stderr, naming the offender and what to do. The
 * program ends with exit status 2.
 */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refusal(String message) {
        super(oneLine(message));
    }

    Refusal(String message, @Nullable Throwable cause) {
        super(oneLine(message), cause);
    }

    /** What went wrong in the words of {@code failure}, or its type where it has none. */
    static String reason(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : oneLine(message);
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
