package dev.rowlock.watch.audit;

import dev.rowlock.watch.trace.Caller;
import java.util.List;
import java.util.Optional;

/**
 * Something that the audit has found.
 *
 * @param hazard what kind
 * @param table the table, or the first of several
 * @param what what happened, in a sentence
 * @param evidence the statements that show it, in the order in which they matter
 * @param count how many times it was found, with the same statements from the same places
 */
public record Finding(Hazard hazard, String table, String what, List<Evidence> evidence, long count) {
    /**
     * A statement.
     *
     * @param caller who sent it
     * @param sql as it was sent, with question marks
     */
    public record Evidence(Optional<Caller> caller, String sql) {
        @Override
        public String toString() {
            return sql + caller.map(place -> "\n      at " + place).orElse("");
        }
    }

    public Finding {
        evidence = List.copyOf(evidence);
    }

    /** All of it, in several lines. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(hazard.id() + ": " + what);
        if (count > 1) {
            text.append(" (").append(count).append(" times)");
        }
        for (Evidence one : evidence) {
            text.append("\n    ").append(one);
        }
        return text.append("\n  Why it hurts: ")
                .append(hazard.why())
                .append("\n  Instead: ")
                .append(hazard.instead())
                .toString();
    }
}
