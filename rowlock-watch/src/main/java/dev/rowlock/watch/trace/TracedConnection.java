package dev.rowlock.watch.trace;

import dev.rowlock.watch.BoundSql;
import dev.rowlock.watch.Call;
import dev.rowlock.watch.Result;
import dev.rowlock.watch.trace.SqlShape.Verb;
import dev.rowlock.watch.trace.TracedStatement.Times;
import dev.rowlock.watch.trace.TracedTransaction.Event;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Follows one connection through its transactions. Used by the program's threads, and by who wants the trace. */
final class TracedConnection {
    private final Recording recording;
    private final long number;
    private Isolation usual;
    private Isolation isolation;
    /** 0 between transactions. */
    private long transaction;

    private long begun;
    private long inDatabase;
    private long lastEnd;
    private int statements;

    private @Nullable Sent current;
    /** Whose rows are being read. */
    private @Nullable TracedStatement pending;

    private @Nullable Call pendingCall;
    private long rows;

    /** A call that has not come back. */
    private record Sent(Call call, long start, CallStack stack, OptionalLong sincePrevious) {}

    TracedConnection(Recording recording, long number, Isolation isolation) {
        this.recording = recording;
        this.number = number;
        this.usual = isolation;
        this.isolation = isolation;
    }

    long number() {
        return number;
    }

    synchronized void isolation(Isolation set) {
        usual = set;
        isolation = set;
    }

    synchronized void before(Call call) {
        boolean sends = isSql(call);
        CallStack stack = sends ? recording.stack() : CallStack.NONE;
        if (sends || isEnd(call)) {
            flush();
        }
        long now = recording.now();
        boolean begins = transaction == 0 && (sends || call.kind() == Call.Kind.SAVEPOINT) && !autoCommit(call);
        OptionalLong since = transaction == 0 ? OptionalLong.empty() : OptionalLong.of(now - lastEnd);
        if (begins) {
            begin(now);
            tellTransaction(Event.BEGUN, "BEGIN", now, Optional.empty());
        }
        current = new Sent(call, now, stack, since);
    }

    private static boolean autoCommit(Call call) {
        try {
            return call.connection().getAutoCommit();
        } catch (SQLException e) {
            // It is closed; the call that follows tells the program so.
            return true;
        }
    }

    /** Two calls may say the same. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(@Nullable Call one, Call other) {
        return one == other;
    }

    private static boolean isSql(Call call) {
        return switch (call.kind()) {
            case STATEMENT, BATCH, ROW -> true;
            default -> false;
        };
    }

    private static boolean isEnd(Call call) {
        return switch (call.kind()) {
            case COMMIT, ROLLBACK, AUTO_COMMIT, CLOSE -> true;
            default -> false;
        };
    }

    private void begin(long now) {
        transaction = recording.nextTransaction();
        isolation = usual;
        begun = now;
        lastEnd = now;
        inDatabase = 0;
        statements = 0;
    }

    synchronized void after(Call call, Result result) {
        Sent sent = current;
        if (sent == null || !isSame(sent.call(), call)) {
            return;
        }
        current = null;
        long now = recording.now();
        if (isEnd(call)) {
            if (transaction != 0) {
                inDatabase += now - sent.start();
                end(call, result, now, sent);
            }
            return;
        }
        if (isSql(call)) {
            statement(sent, result, now);
        }
        inDatabase += now - sent.start();
        lastEnd = now;
    }

    private void end(Call call, Result result, long now, Sent sent) {
        Optional<Failure> failure =
                result instanceof Result.Failed failed ? Optional.of(Failure.of(failed.error())) : Optional.empty();
        boolean commits = call.kind() == Call.Kind.COMMIT || call.kind() == Call.Kind.AUTO_COMMIT;
        boolean lost = failure.isPresent() && failure.get().sqlState().startsWith("08");
        Event event =
                !commits || (failure.isPresent() && !lost) ? Event.ROLLED_BACK : lost ? Event.UNKNOWN : Event.COMMITTED;
        tellEnd(event, call.text(), now, sent, failure);
    }

    private void tellEnd(Event event, String how, long now, Sent sent, Optional<Failure> failure) {
        tellTransaction(event, how, now, failure, sent.sincePrevious().orElse(0));
        transaction = 0;
        isolation = usual;
    }

    private void statement(Sent sent, Result result, long now) {
        List<Part> parts = parts(sent.call());
        Verb control = control(parts, result);
        if (control == Verb.BEGIN && transaction == 0) {
            begin(sent.start());
            isolation = Isolation.in(sent.call().text()).orElse(usual);
            tellTransaction(Event.BEGUN, parts.get(0).shape().sql(), sent.start(), Optional.empty());
            if (parts.size() > 1) {
                statements++;
                tell(record(sent, parts, result, now));
            }
            return;
        }
        if (parts.get(0).shape().verb() == Verb.OTHER && result instanceof Result.Returned) {
            isolationSet(parts.get(0).shape().sql());
        }
        if (control == Verb.COMMIT || control == Verb.ROLLBACK) {
            if (parts.size() > 1) {
                tell(record(sent, parts, result, now));
            }
            if (transaction != 0) {
                inDatabase += now - sent.start();
                tellEnd(
                        control == Verb.COMMIT ? Event.COMMITTED : Event.ROLLED_BACK,
                        parts.get(parts.size() - 1).shape().sql(),
                        now,
                        sent,
                        Optional.empty());
            }
            return;
        }
        statements++;
        TracedStatement record = record(sent, parts, result, now);
        boolean hasRows =
                result instanceof Result.Returned returned && returned.counts().isEmpty();
        if (hasRows && sent.call().kind() == Call.Kind.STATEMENT) {
            pending = record;
            pendingCall = sent.call();
            rows = 0;
        } else {
            tell(record);
        }
    }

    private void isolationSet(String sql) {
        Isolation.in(sql).ifPresent(level -> {
            boolean ofSession = sql.toLowerCase(Locale.ROOT).contains("session");
            usual = ofSession ? level : usual;
            isolation = ofSession ? isolation : level;
        });
    }

    /** What a text does to the transaction; a text of several statements may do it with any of them, the last one counts. */
    private static Verb control(List<Part> parts, Result result) {
        Verb control = Verb.OTHER;
        if (result instanceof Result.Returned) {
            for (Part part : parts) {
                switch (part.shape().verb()) {
                    case BEGIN, COMMIT, ROLLBACK -> control = part.shape().verb();
                    default -> {}
                }
            }
        }
        return control;
    }

    private List<Part> parts(Call call) {
        List<Part> parts = new ArrayList<>();
        if (call.kind() == Call.Kind.ROW) {
            // The driver writes the SQL.
            recording.shapes(call.text()).forEach(shape -> parts.add(new Part(shape, List.of(), false)));
            return parts;
        }
        for (BoundSql bound : call.statements()) {
            for (SqlShape shape : recording.shapes(bound.sql())) {
                if (parts.size() < TracedStatement.MOST_PARTS) {
                    parts.add(recording.values().part(shape, bound));
                }
            }
        }
        return parts;
    }

    private TracedStatement record(Sent sent, List<Part> parts, Result result, long now) {
        Call call = sent.call();
        Set<String> expected = new HashSet<>();
        for (Part part : parts) {
            if (part.shape().verb() == Verb.SELECT) {
                expected.addAll(ExpectedLock.of(part.shape().tables()));
            }
        }
        return new TracedStatement(
                recording.nextRecord(),
                session(),
                call.kind() == Call.Kind.ROW
                        ? call.text()
                        : call.statements().get(0).sql(),
                parts,
                Math.max(0, call.statements().size() - parts.size()),
                result instanceof Result.Returned returned ? returned.counts() : List.of(),
                0,
                new Times(sent.start(), now - sent.start(), sent.sincePrevious()),
                sent.stack(),
                result instanceof Result.Failed failed ? Optional.of(Failure.of(failed.error())) : Optional.empty(),
                expected);
    }

    private Session session() {
        Thread thread = Thread.currentThread();
        return new Session(number, transaction, isolation, thread.getName(), thread.getId());
    }

    private void tell(TracedStatement record) {
        recording.tell(record);
    }

    private void tellTransaction(Event event, String how, long now, Optional<Failure> failure) {
        tellTransaction(event, how, now, failure, 0);
    }

    private void tellTransaction(Event event, String how, long now, Optional<Failure> failure, long since) {
        long nanos = now - begun;
        recording.tell(new TracedTransaction(
                recording.nextRecord(),
                session(),
                event,
                how,
                statements,
                nanos,
                Math.max(0, nanos - inDatabase),
                since,
                failure));
    }

    synchronized void atRow(Call query) {
        if (isSame(pendingCall, query)) {
            rows++;
        }
    }

    synchronized void done(Call query) {
        if (isSame(pendingCall, query)) {
            flush();
        }
    }

    synchronized void flush() {
        TracedStatement read = pending;
        if (read != null) {
            pending = null;
            pendingCall = null;
            tell(read.withRowsRead(rows));
        }
    }
}
