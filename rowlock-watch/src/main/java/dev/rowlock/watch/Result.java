package dev.rowlock.watch;

import java.util.List;

/** How a call came back. */
public sealed interface Result {
    /**
     * Without an error.
     *
     * @param counts of the rows changed, one for each statement that changes rows; empty for anything else
     */
    record Returned(List<Long> counts) implements Result {
        public Returned {
            counts = List.copyOf(counts);
        }
    }

    /**
     * With an error.
     *
     * @param error as the program gets it
     */
    record Failed(Throwable error) implements Result {}
}
