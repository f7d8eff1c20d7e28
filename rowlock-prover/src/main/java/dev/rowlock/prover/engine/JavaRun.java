package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.ActorResult.StepResult;
import dev.rowlock.watch.BoundSql;
import dev.rowlock.watch.Call;
import dev.rowlock.watch.Result;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One run of an actor's code: takes its calls through the gate, one step each, and writes down what came back. */
final class JavaRun {
    private static final String CANCELLED = "57014";
    private static final String DEADLOCK = "40P01";
    private static final int MOST_ROWS = 20;
    private static final int WIDEST_VALUE = 200;

    private final JavaProgram program;
    private final Gate gate;
    private final Journal journal;
    private final Footprints footprints;
    private final List<Taken> steps = new ArrayList<>();
    private @Nullable Taken underWay;
    private volatile @Nullable DriverSession next;
    private volatile Touch.Level level = Touch.Level.SERIALIZABLE;
    private volatile boolean givenUp;

    private static final class Taken {
        private final String name;
        private final Call call;
        private final Footprint footprint;
        private final List<List<String>> rows = new ArrayList<>();
        private Optional<String> error = Optional.empty();

        Taken(String name, Call call, Footprint footprint) {
            this.name = name;
            this.call = call;
            this.footprint = footprint;
        }
    }

    JavaRun(JavaProgram program, Gate gate, Journal journal, Footprints footprints) {
        this.program = program;
        this.gate = gate;
        this.journal = journal;
        this.footprints = footprints;
    }

    /** The actor's name. */
    String actor() {
        return program.name();
    }

    /** Waits until the actor may make this call. */
    void before(Call call, DriverSession session) {
        String name = program.name() + (steps.size() + 1);
        session.usedBy(program);
        next = session;
        String before = journal.taken();
        try {
            gate.pass(name);
        } catch (RuntimeException e) {
            givenUp = true;
            if (call.kind() == Call.Kind.ROLLBACK || call.kind() == Call.Kind.CLOSE) {
                // Nobody judges this schedule any more, and others wait for what is let go here.
                return;
            }
            throw e;
        }
        journal.wants(before, name, kindAndSql(call));
        journal.takes(name);
        Taken step = new Taken(name, call, footprint(call));
        steps.add(step);
        underWay = step;
        // Told before too: of a step that has to wait it must be known what it is after.
        gate.touched(new Touch(session.backend(), step.footprint, true, levelOf(call)));
        if (call.kind() == Call.Kind.CLOSE) {
            rollBackFirst(session);
        }
    }

    private static String kindAndSql(Call call) {
        return call.kind() + call.statements().stream().map(BoundSql::sql).collect(Collectors.joining("; ", " ", ""));
    }

    /** A session that ends with its connection lets go a moment later; so that nobody sees that moment, it lets go now. */
    private static void rollBackFirst(DriverSession session) {
        try {
            session.rollBack();
        } catch (SQLException e) {
            throw new RaceException("a transaction cannot be rolled back: " + e.getMessage(), e);
        }
    }

    /** The code has come to its end, which is something that it does, too. */
    void end() {
        if (!givenUp) {
            journal.wants(journal.taken(), program.name() + (steps.size() + 1), "its end");
        }
    }

    /** Says how the step may wait; called while the actor stands at its gate. */
    void mayDeadlock(boolean may) {
        DriverSession session = next;
        if (session != null) {
            level = session.steer(may);
        }
    }

    void after(Call call, Result result, DriverSession session) {
        Taken step = underWay;
        if (step == null) {
            return;
        }
        underWay = null;
        if (result instanceof Result.Returned returned) {
            returned.counts().forEach(count -> step.rows.add(List.of(count == 1 ? "1 row" : count + " rows")));
        } else if (result instanceof Result.Failed failed) {
            step.error = Optional.of(error(failed.error()));
            // Of a schedule that is given up, the statement that still waits is cancelled.
            givenUp |= step.error.filter(text -> text.startsWith(CANCELLED)).isPresent();
        }
        gate.touched(new Touch(session.backend(), afterwards(step, session), session.inTransaction(), levelOf(call)));
    }

    /**
     * Who is the victim of a deadlock depends on who began to wait last, wherever that was; and of a transaction that has failed
     * it is not known what is undone already.
     */
    private Footprint afterwards(Taken step, DriverSession session) {
        boolean deadlock = step.error.filter(text -> text.startsWith(DEADLOCK)).isPresent();
        return deadlock || session.hasFailed() ? Footprint.UNKNOWN : step.footprint;
    }

    private static String error(Throwable error) {
        String message = String.valueOf(error.getMessage()).lines().findFirst().orElse("");
        return error instanceof SQLException refused ? refused.getSQLState() + " " + message : message;
    }

    private Touch.Level levelOf(Call call) {
        return call.statements().stream()
                        .map(statement -> statement.sql().toLowerCase(Locale.ROOT))
                        .anyMatch(sql -> sql.contains("isolation") || sql.contains("characteristics"))
                ? Touch.Level.SERIALIZABLE
                : level;
    }

    private Footprint footprint(Call call) {
        return switch (call.kind()) {
            case STATEMENT, BATCH, FETCH ->
                call.statements().stream().map(this::footprint).reduce(Footprint.NOTHING, Footprint::and);
            case COMMIT, AUTO_COMMIT, ROLLBACK, CLOSE, SAVEPOINT, RELEASE_SAVEPOINT -> Footprint.NOTHING;
            case ROW, ROLLBACK_TO_SAVEPOINT -> Footprint.UNKNOWN;
            case SCHEMA -> {
                // What was learnt of names does not hold for this connection any more.
                footprints.forget();
                yield Footprint.UNKNOWN;
            }
        };
    }

    private Footprint footprint(BoundSql statement) {
        if (!statement.canBeBoundAgain()) {
            return Footprint.UNKNOWN;
        }
        return statement.hasParameters()
                ? footprints.of(statement.sql(), String.join(", ", statement.values()), statement::bind)
                : footprints.of(statement.sql());
    }

    /** A row that the code has come to. */
    void atRow(Call query, ResultSet at) throws SQLException {
        for (Taken step : steps) {
            if (step.call.equals(query) && step.rows.size() < MOST_ROWS) {
                step.rows.add(row(at));
            }
        }
    }

    private static List<String> row(ResultSet at) throws SQLException {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= at.getMetaData().getColumnCount(); i++) {
            String value = at.getString(i);
            row.add(
                    value == null
                            ? "NULL"
                            : value.length() <= WIDEST_VALUE ? value : value.substring(0, WIDEST_VALUE) + "…");
        }
        return row;
    }

    /** The SQLSTATE of the last error that made a transaction fail, and not only met one that had failed before. */
    Optional<String> whatFailed() {
        return steps.stream()
                .flatMap(step -> step.error.stream())
                .filter(text -> text.matches("(?s)\\w{5} .*") && !text.startsWith("25P02"))
                .map(text -> text.substring(0, 5))
                .reduce((one, later) -> later);
    }

    boolean isGivenUp() {
        return givenUp;
    }

    /** What each step did, in order. */
    List<StepResult> steps() {
        return steps.stream()
                .map(step -> new StepResult(step.name, step.call.text(), step.rows, step.error))
                .toList();
    }
}
