package dev.rowlock.counter;

import dev.rowlock.Row;
import dev.rowlock.Update;
import dev.rowlock.Write;
import java.util.List;
import java.util.Optional;

/** A change of one row as one statement that carries its own conditions. */
final class GuardedChange {
    private final Rules rules;
    private final Request.Part part;

    GuardedChange(Rules rules, Request.Part part) {
        this.rules = rules;
        this.part = part;
    }

    /** Empty if the conditions cannot be written because no amount fulfils them; nothing was sent then. */
    Optional<Change> apply(Update update) {
        long delta = part.delta();
        return complete(rules, update, delta, delta, delta).map(complete -> outcome(complete.apply()));
    }

    private Change outcome(Write write) {
        if (write instanceof Write.Applied applied) {
            Tally before = Tally.before(rules, part.key(), applied.row(), part.delta());
            return before.apply(part.delta());
        }
        if (write instanceof Write.Refused refused) {
            return refusal(refused.current());
        }
        return new Change.Missing(rules.table(), part.key());
    }

    /** If the bounds allow it, it was the condition that did not. */
    private Change refusal(Row current) {
        Change.Refused byBounds = new Tally(rules, part.key(), current, true).refusal(part.delta());
        if (byBounds != null) {
            return byBounds;
        }
        Change.Refused byCondition = new Tally(rules, part.key(), current, false).refusal(part.delta());
        if (byCondition == null) {
            throw new IllegalStateException("a change that was refused can be made: row " + part.key());
        }
        return byCondition;
    }

    static Changes asChanges(Change change) {
        if (change instanceof Change.Applied applied) {
            return new Changes.Applied(List.of(applied));
        }
        if (change instanceof Change.Refused refused) {
            return new Changes.Refused(List.of(refused));
        }
        return new Changes.Missing(List.of((Change.Missing) change));
    }

    /**
     * Puts a change into the update, and the conditions under which all of several changes, one after another, can be made.
     *
     * @param sum of the changes
     * @param lowest the least that their sum becomes on the way
     * @param highest the most
     * @return empty if the conditions cannot be written
     */
    static Optional<Update> complete(Rules rules, Update update, long sum, long lowest, long highest) {
        for (Column column : rules.columns()) {
            if (Math.max(Math.abs(lowest), Math.abs(highest)) > Long.MAX_VALUE / Math.abs(column.factor())) {
                return Optional.empty();
            }
            Column.Guard guard = column.guard(lowest, highest);
            if (guard == null) {
                return Optional.empty();
            }
            update.add(column.name(), column.factor() * sum)
                    .onlyIf(guard.sql(), guard.values().toArray());
        }
        for (Rules.Condition condition : rules.conditions()) {
            update.onlyIf(condition.sql(), condition.values().toArray());
        }
        return Optional.of(update);
    }
}
