package dev.rowlock;

/**
 * What became of a guarded write. Sealed: a {@code switch} or {@code instanceof} chain over the four covers everything.
 *
 * <p>Anything but {@link Applied} has changed nothing, but the transaction goes on and will commit what else it did: either look
 * at the result or call {@link #orThrow()}.
 */
@CheckReturnValue
public sealed interface Write {

    /**
     * The row after the change, or the exception that fits what happened; thrown out of the function it rolls everything back.
     *
     * @throws MissingRowException if it is {@link Missing}
     * @throws StaleRowException if it is {@link Stale}
     * @throws RefusedWriteException if it is {@link Refused}
     */
    @CanIgnoreReturnValue
    Row orThrow();

    /** Whether the change was made. */
    default boolean isApplied() {
        return this instanceof Applied;
    }

    /**
     * The change was made.
     *
     * @param row the row as it is now; locked by this transaction until it ends
     */
    record Applied(Row row) implements Write {
        @Override
        @CanIgnoreReturnValue
        public Row orThrow() {
            return row;
        }
    }

    /**
     * The row has another version than the caller had read: somebody changed it meanwhile.
     *
     * @param current the row as it is now, not locked
     * @param expectedVersion the version that the caller had read
     */
    record Stale(Row current, long expectedVersion) implements Write {
        @Override
        @CanIgnoreReturnValue
        public Row orThrow() {
            throw new StaleRowException(current.table(), current, expectedVersion);
        }
    }

    /**
     * The guard did not hold.
     *
     * @param current a state of the row in which the guard does not hold, read after the refusal, not locked
     * @param guard the condition that had been asked for
     */
    record Refused(Row current, String guard) implements Write {
        @Override
        @CanIgnoreReturnValue
        public Row orThrow() {
            throw new RefusedWriteException(current.table(), current, guard);
        }
    }

    /**
     * There is no such row.
     *
     * @param table where it was looked for
     * @param key what was looked for
     */
    record Missing(Table table, Key key) implements Write {
        @Override
        @CanIgnoreReturnValue
        public Row orThrow() {
            throw new MissingRowException(table, key);
        }
    }
}
