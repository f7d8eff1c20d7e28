package dev.rowlock.prover.transcript;

import org.jspecify.annotations.Nullable;

/**
 * A transcript could not be run to its end. What PostgreSQL's tester says at such an end has been written already, as the
 * transcript's last lines.
 */
public final class TranscriptException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String lastWords;

    TranscriptException(String lastWords) {
        this(lastWords, null);
    }

    /**
     * Ends a transcript.
     *
     * @param lastWords whole lines, each with its line feed
     */
    TranscriptException(String lastWords, @Nullable Throwable cause) {
        super(lastWords.strip(), cause);
        this.lastWords = lastWords;
    }

    String lastWords() {
        return lastWords;
    }
}
