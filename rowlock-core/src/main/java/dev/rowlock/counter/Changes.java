package dev.rowlock.counter;

import dev.rowlock.Key;
import java.util.List;

/**
 * What became of changes of several rows that are made together or not at all. Anything but {@link Applied} has changed nothing.
 */
public sealed interface Changes {
    /** Whether the changes were made. */
    default boolean isApplied() {
        return this instanceof Applied;
    }

    /**
     * The changes, if they were made.
     *
     * @throws RefusedChangeException for the first row that is {@link Refused}
     * @throws dev.rowlock.MissingRowException for the first row that is {@link Missing}
     */
    Applied orThrow();

    /**
     * All of them were made.
     *
     * @param rows one for each row, in the order of the request
     */
    record Applied(List<Change.Applied> rows) implements Changes {
        /** Copies the list. */
        public Applied {
            rows = List.copyOf(rows);
        }

        /**
         * The amount in this row after the change.
         *
         * @throws IllegalArgumentException if the request did not change such a row
         */
        public long value(Object key) {
            Key wanted = key instanceof Key given ? given : Key.of(key);
            return rows.stream()
                    .filter(row -> row.key().equals(wanted))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("the request did not change row " + wanted))
                    .value();
        }

        @Override
        public Applied orThrow() {
            return this;
        }
    }

    /**
     * At least one row does not allow its change; all rows are there.
     *
     * @param rows those that do not, in the order of the request
     */
    record Refused(List<Change.Refused> rows) implements Changes {
        /** Copies the list. */
        public Refused {
            rows = List.copyOf(rows);
        }

        @Override
        public Applied orThrow() {
            throw new RefusedChangeException(rows.get(0));
        }
    }

    /**
     * At least one row is not there.
     *
     * @param rows those that are not, in the order of the request
     */
    record Missing(List<Change.Missing> rows) implements Changes {
        /** Copies the list. */
        public Missing {
            rows = List.copyOf(rows);
        }

        @Override
        public Applied orThrow() {
            throw new IllegalStateException(
                    "a missing row has the amount " + rows.get(0).orThrow());
        }
    }
}
