package dev.rowlock.watch.audit;

import dev.rowlock.watch.trace.SqlShape;
import dev.rowlock.watch.trace.SqlShape.Assignment;
import dev.rowlock.watch.trace.SqlShape.Verb;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is wrong with a write. */
final class WriteChecks {
    private final Findings findings;
    private final AuditRules rules;
    private final Paths paths;

    WriteChecks(Findings findings, AuditRules rules) {
        this.findings = findings;
        this.rules = rules;
        this.paths = new Paths(findings);
    }

    /** Looks at a statement, and at what its transaction, or its thread, did before. */
    void check(Access access, Work work) {
        Optional<String> rewritten = access.rewrites();
        if (rewritten.isEmpty()) {
            return;
        }
        String table = rewritten.get();
        locked(access, table, work).ifPresent(lock -> paths.locked(table, lock, access));
        if (access.verb() == Verb.UPDATE && access.part().shape().parsed()) {
            version(access, table);
            unlockedRead(access, table, work).ifPresent(read -> {
                findings.add(
                        Hazard.READ_THEN_WRITE,
                        table,
                        "a row of " + table + " is read without a lock and then overwritten",
                        read,
                        access);
                paths.unlocked(table, read, access);
            });
        }
    }

    private void version(Access access, String table) {
        String version = rules.versions().get(table);
        if (version == null) {
            return;
        }
        SqlShape shape = access.part().shape();
        boolean raised =
                shape.assignments().stream().anyMatch(set -> set.column().equals(version));
        if (!raised && !shape.where().columns().contains(version)) {
            findings.add(
                    Hazard.VERSION_SKIPPED,
                    table,
                    "an UPDATE of " + table + " neither raises nor checks its column " + version,
                    access);
        }
    }

    private static Optional<Access> locked(Access write, String table, Work work) {
        return work.accesses().stream()
                .filter(before -> isHeldAt(before, write))
                .filter(before -> before.clauseOn(table).isPresent() && before.meets(write, table))
                .findFirst();
    }

    /** What the write may rest on, if another can have written since. */
    private static Optional<Access> unlockedRead(Access write, String table, Work work) {
        SqlShape shape = write.part().shape();
        Map<String, Set<String>> keys = write.keys(table);
        boolean byKeyAlone = !keys.isEmpty()
                && keys.size() == shape.where().keys().size()
                && shape.where().others() == 0;
        boolean bySeen = !shape.assignments().stream().allMatch(Assignment::byTheDatabase);
        boolean detected = !write.sent().session().autoCommitted()
                && write.sent().session().isolation().detectsLostUpdates();
        if (!byKeyAlone || !bySeen || detected || write.changed().equals(Optional.of(0L))) {
            return Optional.empty();
        }
        List<Access> before = work.accesses();
        for (int i = before.size() - 1; i >= 0; i--) {
            Access one = before.get(i);
            if (isLockOf(one, write, table)) {
                // The latest look at the row was under a lock.
                return Optional.empty();
            }
            if (one.reads(table) && one.keys(table).keySet().containsAll(keys.keySet()) && one.meets(write, table)) {
                boolean lockedBefore = isHeldAt(one, write)
                        && before.subList(0, i).stream().anyMatch(earlier -> isLockOf(earlier, write, table));
                return lockedBefore ? Optional.empty() : Optional.of(one);
            }
        }
        return Optional.empty();
    }

    private static boolean isLockOf(Access one, Access write, String table) {
        return isHeldAt(one, write) && one.lockOn(table).isPresent() && one.mayCover(write, table);
    }

    /** Whether a lock of the one is still there: in the same transaction, which the statements of one text are too. */
    private static boolean isHeldAt(Access one, Access write) {
        return !one.sent().session().autoCommitted()
                || one.sent().number() == write.sent().number();
    }
}
