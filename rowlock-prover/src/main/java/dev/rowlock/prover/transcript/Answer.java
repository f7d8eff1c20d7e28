package dev.rowlock.prover.transcript;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one statement came to. */
sealed interface Answer {
    /** Rows, perhaps none, in the server's own text; null is SQL's. */
    record Rows(List<String> columns, List<List<@Nullable String>> rows) implements Answer {}

    /** A statement without rows. */
    record Done() implements Answer {}

    /** There was no statement. */
    record Nothing() implements Answer {}

    /**
     * It failed.
     *
     * @param brief without details
     * @param full whole lines
     */
    record Failed(String brief, String full) implements Answer {}
}
