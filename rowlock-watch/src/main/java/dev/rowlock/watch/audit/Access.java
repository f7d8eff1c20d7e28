package dev.rowlock.watch.audit;

import dev.rowlock.watch.LockClause;
import dev.rowlock.watch.LockClause.Strength;
import dev.rowlock.watch.trace.Part;
import dev.rowlock.watch.trace.SqlShape.Locked;
import dev.rowlock.watch.trace.SqlShape.Verb;
import dev.rowlock.watch.trace.TracedStatement;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One statement as the audit sees it.
 *
 * @param sent what it was sent with
 * @param part the statement itself
 * @param changed rows that it changed, if the driver says
 */
record Access(TracedStatement sent, Part part, Optional<Long> changed) {
    Finding.Evidence evidence() {
        return new Finding.Evidence(sent.caller(), part.shape().sql().strip().replaceAll("\\s+", " "));
    }

    Verb verb() {
        return part.shape().verb();
    }

    boolean reads(String table) {
        return verb() == Verb.SELECT && part.shape().tables().contains(table);
    }

    /** The table of an UPDATE or DELETE. */
    Optional<String> rewrites() {
        return verb() == Verb.UPDATE || verb() == Verb.DELETE ? part.shape().target() : Optional.empty();
    }

    boolean inserts(String table) {
        return verb() == Verb.INSERT && part.shape().target().equals(Optional.of(table));
    }

    boolean isAbout(String table) {
        return part.shape().tables().contains(table) || part.shape().target().equals(Optional.of(table));
    }

    List<Locked> locks() {
        return part.shape().locks();
    }

    /** The strongest lock of a clause on the table. */
    Optional<Strength> clauseOn(String table) {
        return locks().stream()
                .filter(lock -> lock.tables().contains(table))
                .map(lock -> lock.clause().strength())
                .min(Strength::compareTo);
    }

    /** The lock that an UPDATE or DELETE takes. */
    Strength ofWrite() {
        boolean ofKey = part.shape().assignments().stream()
                .anyMatch(set -> part.shape().where().keys().stream()
                        .anyMatch(key -> key.column().equals(set.column())));
        return verb() == Verb.DELETE || ofKey ? Strength.FOR_UPDATE : Strength.FOR_NO_KEY_UPDATE;
    }

    /** The strongest lock that it takes on rows of the table. */
    Optional<Strength> lockOn(String table) {
        Optional<Strength> clause = clauseOn(table);
        return clause.isEmpty() && rewrites().equals(Optional.of(table)) ? Optional.of(ofWrite()) : clause;
    }

    boolean waits() {
        return locks().stream().allMatch(lock -> lock.clause().whenTaken() == LockClause.WhenTaken.WAIT);
    }

    boolean skipsLocked() {
        return locks().stream().anyMatch(lock -> lock.clause().whenTaken() == LockClause.WhenTaken.SKIP_LOCKED);
    }

    Map<String, Set<String>> keys(String table) {
        return part.keys(table);
    }

    /** Whether both may be about the same row: they name the same columns with a value in common. */
    boolean meets(Access other, String table) {
        Map<String, Set<String>> mine = keys(table);
        Map<String, Set<String>> its = other.keys(table);
        boolean shared = false;
        for (Map.Entry<String, Set<String>> key : mine.entrySet()) {
            Set<String> values = its.get(key.getKey());
            if (values != null) {
                if (Collections.disjoint(values, key.getValue())) {
                    return false;
                }
                shared = true;
            }
        }
        return shared;
    }

    /** The same, and also if this one does not say which rows: it is taken to be about all of them. */
    boolean mayCover(Access other, String table) {
        return keys(table).isEmpty() || meets(other, table);
    }
}
