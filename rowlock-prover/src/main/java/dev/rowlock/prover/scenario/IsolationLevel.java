package dev.rowlock.prover.scenario;

import java.util.Locale;
import java.util.Optional;

/** The three isolation levels that PostgreSQL has. READ UNCOMMITTED is not among them: there it is READ COMMITTED. */
public enum IsolationLevel {
    /** Every statement sees what was committed when it began. */
    READ_COMMITTED,
    /** Every statement sees what was committed when the transaction's first one began. */
    REPEATABLE_READ,
    /** As {@link #REPEATABLE_READ}; and what commits fits some serial order. */
    SERIALIZABLE;

    /** The level as SQL writes it, such as {@code REPEATABLE READ}. */
    public String sql() {
        return name().replace('_', ' ');
    }

    /** The level as scenario files and the command line write it, such as {@code repeatable-read}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Finds the level written as {@link #word()} or {@link #sql()}, in capital or small letters; empty if there is none. */
    public static Optional<IsolationLevel> of(String text) {
        for (IsolationLevel level : values()) {
            if (level.word().equalsIgnoreCase(text) || level.sql().equalsIgnoreCase(text)) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }
}
