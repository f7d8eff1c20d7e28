package dev.rowlock.counter;

import dev.rowlock.Key;
import dev.rowlock.Table;
import dev.rowlock.Write;
import java.util.Map;

/**
 * What became of one change of one row. Sealed: a {@code switch} or {@code instanceof} chain over the three covers everything.
 * Anything but {@link Applied} has changed nothing.
 */
public sealed interface Change {
    /** The key of the row. */
    Key key();

    /** Whether the change was made. */
    default boolean isApplied() {
        return this instanceof Applied;
    }

    /**
     * The amount after the change.
     *
     * @throws RefusedChangeException if it is {@link Refused}
     * @throws dev.rowlock.MissingRowException if it is {@link Missing}
     */
    long orThrow();

    /**
     * The change was made.
     *
     * @param value the amount just after this change, and before those of others that were combined with it
     * @param amounts the same for every column that the counter changes, by name
     */
    record Applied(Key key, long value, Map<String, Long> amounts) implements Change {
        @Override
        public long orThrow() {
            return value;
        }
    }

    /**
     * The bounds or a condition do not allow the change.
     *
     * @param delta the change that was asked for
     * @param value the amount that does not allow it
     * @param amounts the same for every column that the counter changes, by name
     * @param reason which bound or condition, for people
     */
    record Refused(Table table, Key key, long delta, long value, Map<String, Long> amounts, String reason)
            implements Change {
        @Override
        public long orThrow() {
            throw new RefusedChangeException(this);
        }
    }

    /**
     * There is no such row.
     *
     * @param table where it was looked for
     */
    record Missing(Table table, Key key) implements Change {
        @Override
        public long orThrow() {
            throw missing(table, key);
        }
    }

    private static IllegalStateException missing(Table table, Key key) {
        new Write.Missing(table, key).orThrow();
        return new IllegalStateException("a missing row was found");
    }
}
