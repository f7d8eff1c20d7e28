package dev.rowlock.watch.audit;

import dev.rowlock.watch.LockClause.Strength;
import dev.rowlock.watch.trace.SqlShape.Trait;
import dev.rowlock.watch.trace.SqlShape.Verb;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is wrong with a lock. */
final class LockChecks {
    private final Findings findings;
    private final AuditRules rules;

    LockChecks(Findings findings, AuditRules rules) {
        this.findings = findings;
        this.rules = rules;
    }

    /** Looks at a statement, and at what its transaction did before. */
    void check(Access access, Work work) {
        boolean isQuery = access.verb() == Verb.SELECT && !access.part().shape().is(Trait.WRITES_INSIDE);
        if (isQuery && !access.locks().isEmpty()) {
            String table = table(access);
            // Several statements of one text, or of a batch, are one transaction anyway.
            boolean alone = access.sent().parts().size() == 1;
            if (access.sent().session().autoCommitted() && alone) {
                findings.add(
                        Hazard.LOCK_OUTSIDE_TRANSACTION,
                        table,
                        access.locks().get(0).clause() + " on " + table + " outside of a transaction",
                        access);
            }
            wide(access, table);
        }
        expected(access);
        skipLocked(access, work);
        upgrade(access, work);
    }

    private static String table(Access access) {
        return access.locks().stream()
                .flatMap(lock -> lock.tables().stream())
                .findFirst()
                .orElse("an unknown table");
    }

    private void wide(Access access, String table) {
        boolean everything = access.part().shape().parsed()
                && access.part().shape().where().isEmpty()
                && access.part().shape().tables().size() == 1
                && !access.part().shape().is(Trait.LIMITED)
                && access.locks().stream().anyMatch(lock -> !lock.inside());
        if (everything) {
            findings.add(
                    Hazard.WIDE_LOCK, table, "every row of " + table + " is locked: there is no condition", access);
        } else if (access.sent().rowsRead() > rules.wideLockRows()) {
            findings.add(
                    Hazard.WIDE_LOCK,
                    table,
                    access.sent().rowsRead() + " rows of " + table + " are locked by one query, more than "
                            + rules.wideLockRows(),
                    access);
        }
    }

    private void expected(Access access) {
        for (String table : access.sent().expectedLocks()) {
            if (access.reads(table) && access.clauseOn(table).isEmpty()) {
                findings.add(
                        Hazard.LOCK_NOT_SENT,
                        table,
                        "the program wants a lock on " + table + ", and its query has none",
                        access);
            }
        }
    }

    private void skipLocked(Access access, Work work) {
        if (access.verb() == Verb.SELECT
                && access.skipsLocked()
                && access.part().shape().is(Trait.SUMS_UP_A_QUERY)) {
            String table = table(access);
            findings.add(
                    Hazard.SKIP_LOCKED_DECISION,
                    table,
                    "rows of " + table + " are counted that others have not locked",
                    access);
        }
        Optional<String> target =
                access.verb() == Verb.INSERT ? access.part().shape().target() : Optional.empty();
        target.ifPresent(table -> work.accesses().stream()
                .filter(before -> before.reads(table)
                        && before.skipsLocked()
                        && before.sent().rowsRead() == 0)
                .reduce((one, later) -> later)
                .ifPresent(query -> findings.add(
                        Hazard.SKIP_LOCKED_DECISION,
                        table,
                        "a row is inserted into " + table + " because a query with SKIP LOCKED found none",
                        query,
                        access)));
    }

    /** Two transactions may both have the share lock; one of them waits for the other then if the new lock conflicts with it. */
    private void upgrade(Access access, Work work) {
        for (String table : tables(access)) {
            Strength wanted = access.lockOn(table).orElseThrow();
            List<Access> before = work.accesses();
            for (Access one : before) {
                Optional<Strength> held = one.lockOn(table);
                if (held.isEmpty() || !one.mayCover(access, table)) {
                    continue;
                }
                if (held.get().isExclusive()) {
                    // Whoever else wants to share the row waits here already.
                    break;
                }
                if (wanted.conflictsWith(held.get()) && one.meets(access, table)) {
                    findings.add(
                            Hazard.SHARE_LOCK_UPGRADE,
                            table,
                            "a row of " + table + " is locked "
                                    + held.get().name().replace('_', ' ') + " and then "
                                    + wanted.name().replace('_', ' '),
                            one,
                            access);
                    break;
                }
            }
        }
    }

    /** The tables whose rows it locks. */
    static Set<String> tables(Access access) {
        Set<String> tables = new HashSet<>();
        access.locks().forEach(lock -> tables.addAll(lock.tables()));
        access.rewrites().ifPresent(tables::add);
        return tables;
    }
}
