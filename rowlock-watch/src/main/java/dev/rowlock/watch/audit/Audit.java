package dev.rowlock.watch.audit;

import dev.rowlock.watch.trace.Part;
import dev.rowlock.watch.trace.SqlShape.Verb;
import dev.rowlock.watch.trace.TraceListener;
import dev.rowlock.watch.trace.TraceRecord;
import dev.rowlock.watch.trace.TracedStatement;
import dev.rowlock.watch.trace.TracedTransaction;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Looks at a trace for what goes wrong between writers: each {@link Hazard}, found from the statements of each transaction by itself, so that
 * no two of them have to meet. It listens to one {@link dev.rowlock.watch.trace.Trace}.
 *
 * <pre>{@code
 * Audit audit = Audit.builder().versioned("product", "version").logging().build();
 * Trace trace = Trace.builder().listener(audit).build();
 * }</pre>
 *
 * Bounds: 1,000 statements of a transaction, 64 statements of each of 1,000 threads that commit by themselves, 20,000 pairs of locks, 1,000
 * different findings.
 */
public final class Audit implements TraceListener {
    private static final int MOST_OF_A_TRANSACTION = 1_000;
    private static final int MOST_OF_A_THREAD = 64;
    private static final int MOST_THREADS = 1_000;
    private static final double NANOS_PER_MILLI = 1e6;

    private final AuditRules rules;
    private final Findings findings;
    private final LockChecks locks;
    private final WriteChecks writes;
    private final LockOrder order;
    private final Map<Long, Work> transactions = new HashMap<>();
    /** The thread that has been quiet for longest is forgotten first. */
    private final Map<Long, Work> threads = new LinkedHashMap<>(16, 0.75f, true);

    Audit(AuditRules rules, List<Consumer<Finding>> listeners) {
        this.rules = rules;
        this.findings = new Findings(listeners);
        this.locks = new LockChecks(findings, rules);
        this.writes = new WriteChecks(findings, rules);
        this.order = new LockOrder(findings);
    }

    /** An audit with the defaults of {@link AuditBuilder}. */
    public static AuditBuilder builder() {
        return new AuditBuilder();
    }

    /** What was found until now, in the order in which it was found first. Queries whose results are open are not judged yet. */
    public synchronized List<Finding> findings() {
        threads.values().forEach(this::reportMissed);
        return findings.all();
    }

    /** How many more findings there were than can be kept. */
    public synchronized long overflow() {
        return findings.overflow();
    }

    @Override
    public synchronized void record(TraceRecord record) {
        if (record instanceof TracedStatement statement) {
            statement(statement);
        } else if (record instanceof TracedTransaction transaction) {
            transaction(transaction);
        }
    }

    private void transaction(TracedTransaction transaction) {
        if (transaction.event() == TracedTransaction.Event.BEGUN) {
            transactions.put(transaction.session().transaction(), new Work(MOST_OF_A_TRANSACTION));
            return;
        }
        Work work = transactions.remove(transaction.session().transaction());
        if (work == null) {
            return;
        }
        if (transaction.event() == TracedTransaction.Event.COMMITTED) {
            reportMissed(work);
        }
        work.hold().away(transaction.sincePreviousNanos());
        longHold(work.hold());
    }

    private void longHold(Hold hold) {
        Access lock = hold.lock();
        Access before = hold.beforeLongest();
        if (lock != null && before != null && hold.outsideNanos() > rules.longHoldNanos()) {
            String table = LockChecks.tables(lock).stream().findFirst().orElse("an unknown table");
            findings.add(
                    Hazard.LONG_HOLD,
                    table,
                    "a lock on " + table + " is held for " + Math.round(hold.outsideNanos() / NANOS_PER_MILLI)
                            + " ms outside of the database, longest after the second statement",
                    lock,
                    before);
        }
    }

    private void statement(TracedStatement statement) {
        Work work = statement.session().autoCommitted() ? thread(statement) : transaction(statement);
        work.hold().away(statement.times().sincePreviousNanos().orElse(0));
        if (statement.failure().isPresent()) {
            return;
        }
        for (int i = 0; i < statement.parts().size(); i++) {
            Part part = statement.parts().get(i);
            check(new Access(statement, part, changed(statement, i)), work);
        }
    }

    private Work transaction(TracedStatement statement) {
        return transactions.computeIfAbsent(statement.session().transaction(), any -> new Work(MOST_OF_A_TRANSACTION));
    }

    private Work thread(TracedStatement statement) {
        Work work = threads.computeIfAbsent(statement.session().threadId(), any -> new Work(MOST_OF_A_THREAD));
        if (threads.size() > MOST_THREADS) {
            threads.remove(threads.keySet().iterator().next());
        }
        work.forgetBefore(statement.times().startNanos() - rules.windowNanos());
        return work;
    }

    /** A statement whose rows are read, as with RETURNING, has changed as many. */
    private static Optional<Long> changed(TracedStatement statement, int part) {
        if (part < statement.changed().size()) {
            return Optional.of(statement.changed().get(part));
        }
        boolean returning = statement.changed().isEmpty() && statement.parts().size() == 1;
        return returning && statement.rowsRead() > 0 ? Optional.of(statement.rowsRead()) : Optional.empty();
    }

    private void check(Access access, Work work) {
        looked(access, work);
        locks.check(access, work);
        writes.check(access, work);
        boolean writesRows = access.part().shape().writes() && !access.changed().equals(Optional.of(0L));
        if (!access.sent().session().autoCommitted()) {
            for (String table : LockChecks.tables(access)) {
                access.lockOn(table)
                        .ifPresent(strength ->
                                HeldLocks.wanted(access, table, strength).forEach(lock -> order.wants(work, lock)));
            }
        }
        work.hold().sent(access, !access.locks().isEmpty() || writesRows);
        work.add(access);
        missed(access).ifPresent(work.missed()::add);
    }

    private static Optional<Access> missed(Access access) {
        boolean nothing = access.changed().equals(Optional.of(0L));
        return access.rewrites()
                .filter(table -> nothing && !access.keys(table).isEmpty())
                .map(table -> access);
    }

    /** Who asks for the table again has seen that nothing was there. */
    private void looked(Access access, Work work) {
        work.missed()
                .removeIf(missed -> access.isAbout(missed.rewrites().orElseThrow()) && (access.verb() != Verb.OTHER));
        if (access.sent().session().autoCommitted()) {
            reportMissed(work);
        }
    }

    private void reportMissed(Work work) {
        for (Access missed : work.missed()) {
            String table = missed.rewrites().orElseThrow();
            findings.add(
                    Hazard.ZERO_ROWS_COMMITTED,
                    table,
                    "nothing in " + table + " was changed, and that was committed",
                    missed);
        }
        work.missed().clear();
    }
}
