package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.ActorResult.Status;
import dev.rowlock.prover.engine.ActorResult.StepResult;
import dev.rowlock.prover.scenario.IsolationLevel;
import dev.rowlock.prover.scenario.SessionSpec;
import dev.rowlock.prover.scenario.Sql;
import dev.rowlock.prover.scenario.SqlBlock;
import dev.rowlock.prover.scenario.StepSpec;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A session of a scenario file on a connection of its own. */
final class SessionProgram implements Program {
    private static final Set<String> RETRYABLE = Set.of("40001", "40P01");
    private static final String IN_FAILED_TRANSACTION = "25P02";
    private static final String DEADLOCK = "40P01";
    private static final Pattern SETTING = Pattern.compile("SET\\b", Pattern.CASE_INSENSITIVE);
    private static final String ROW_COUNT_REJECTED = "rejected";

    private final SessionSpec session;
    private final Optional<IsolationLevel> override;
    private final Connection connection;
    private final int backend;
    private final Footprints footprints;
    private final SessionState state;
    /** Whether nothing was done to the session that a rollback does not take back. */
    private boolean pristine;

    private Footprint prepared = Footprint.NOTHING;
    /** Of the step under way. */
    private Footprint current = Footprint.NOTHING;

    private Touch.Level currentLevel = Touch.Level.READ_COMMITTED;

    private final Map<String, @Nullable String> variables = new HashMap<>();
    /** Null when it is not known, because a rollback may have taken the setting back. */
    private @Nullable Boolean mayDeadlock;

    SessionProgram(SessionSpec session, Optional<IsolationLevel> override, Connection connection, Footprints footprints)
            throws SQLException {
        this.session = session;
        this.footprints = footprints;
        this.override = override;
        this.connection = connection;
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(
                        "SELECT pg_backend_pid(), current_setting('default_transaction_isolation')")) {
            result.next();
            this.backend = result.getInt(1);
            IsolationLevel ofServer = IsolationLevel.of(result.getString(2)).orElse(IsolationLevel.READ_COMMITTED);
            this.state = new SessionState(isolation().orElse(ofServer));
        }
    }

    @Override
    public String name() {
        return session.name();
    }

    @Override
    public Set<Integer> backends() {
        return Set.of(backend);
    }

    @Override
    public void foresee(Footprints learning) {
        session.steps().stream()
                .map(step -> text(step.sql()))
                .filter(sql -> Sql.parameters(sql).isEmpty())
                .forEach(learning::of);
    }

    @Override
    public void prepare() {
        variables.clear();
        currentLevel = Touch.Level.READ_COMMITTED;
        try {
            if (!pristine) {
                execute("DISCARD ALL");
                // Nobody will look for what is committed here after a crash.
                execute("SET synchronous_commit = off");
                mayDeadlock = null;
                isolation()
                        .ifPresent(
                                level -> executeUnchecked("SET default_transaction_isolation = '" + level.sql() + "'"));
                pristine = true;
            }
            mayDeadlock(false);
            prepared = Footprint.NOTHING;
            if (session.setup().isPresent()) {
                String setup = text(session.setup().orElseThrow());
                prepared = footprint(setup);
                currentLevel = state.sends(setup);
                execute(setup);
            }
        } catch (SQLException e) {
            throw new RaceException("setup of session " + name() + " failed: " + e.getMessage(), e);
        }
    }

    private Optional<IsolationLevel> isolation() {
        return override.isPresent() ? override : session.isolation();
    }

    private Footprint footprint(String sql) {
        Footprint found = footprints.of(sql);
        pristine &= !found.unknown()
                && Sql.statements(sql).stream()
                        .noneMatch(piece -> SETTING.matcher(piece.text()).lookingAt());
        return found;
    }

    private Touch touch(Footprint footprint) {
        Touch.Level level = currentLevel.compareTo(state.level()) > 0 ? currentLevel : state.level();
        return new Touch(backend, footprint, state.isOpen(), level);
    }

    private String text(SqlBlock block) {
        return override.map(level -> Isolations.override(block.text(), level)).orElse(block.text());
    }

    @Override
    public ActorResult run(Gate gate) {
        gate.touched(touch(prepared));
        return attempts(gate);
    }

    private ActorResult attempts(Gate gate) {
        List<StepResult> steps = new ArrayList<>();
        for (int attempt = 1; ; attempt++) {
            Optional<String> ended = runOnce(gate, steps);
            if (ended.isEmpty()) {
                return new ActorResult(Status.COMMITTED, Optional.empty(), Optional.empty(), steps);
            }
            if (ended.get().equals(ROW_COUNT_REJECTED)) {
                return new ActorResult(Status.REJECTED, Optional.empty(), Optional.empty(), steps);
            }
            if (attempt >= session.attempts() || !RETRYABLE.contains(ended.get())) {
                return new ActorResult(Status.ABORTED, ended, Optional.empty(), steps);
            }
            steps.clear();
            variables.clear();
            rollBack();
        }
    }

    /** The SQLSTATE or {@link #ROW_COUNT_REJECTED} that ended it, or empty. Steps behind an error are passed without effect. */
    private Optional<String> runOnce(Gate gate, List<StepResult> steps) {
        Optional<String> ended = Optional.empty();
        boolean begun = !session.transaction();
        for (StepSpec step : session.steps()) {
            gate.pass(step.name());
            if (ended.isPresent()) {
                steps.add(new StepResult(step.name(), "", List.of(), Optional.empty()));
                gate.touched(touch(Footprint.NOTHING));
                continue;
            }
            try {
                if (!begun) {
                    state.sends("BEGIN");
                    execute("BEGIN");
                    begun = true;
                }
                ended = take(step, gate, steps);
            } catch (SQLException e) {
                ended = failed(step.name(), step.sql().text(), e, gate, steps);
            }
        }
        if (session.transaction()) {
            String commit = "commit(" + session.name() + ")";
            gate.pass(commit);
            current = Footprint.NOTHING;
            if (ended.isEmpty()) {
                try {
                    execute("COMMIT");
                    state.ended();
                } catch (SQLException e) {
                    ended = failed(commit, "COMMIT", e, gate, steps);
                }
            }
            gate.touched(touch(Footprint.NOTHING));
        }
        return ended;
    }

    /** The transaction is over at once, as it is in the server, however many of the session's steps are still to come. */
    private Optional<String> failed(String step, String sql, SQLException e, Gate gate, List<StepResult> steps) {
        // Who is the victim of a deadlock depends on who began to wait last, wherever that was.
        Footprint failed = DEADLOCK.equals(e.getSQLState()) ? Footprint.UNKNOWN : current;
        steps.add(new StepResult(step, sql, List.of(), Optional.of(e.getSQLState() + " " + firstLine(e))));
        rollBack();
        gate.touched(touch(failed));
        return Optional.of(String.valueOf(e.getSQLState()));
    }

    private static String firstLine(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private Optional<String> take(StepSpec step, Gate gate, List<StepResult> steps) throws SQLException {
        if (step.when().isPresent()) {
            String condition =
                    "SELECT (" + Sql.substitute(step.when().orElseThrow().text(), variables) + ") IS TRUE";
            current = footprint(condition);
            currentLevel = state.level();
            gate.touched(touch(current));
            boolean holds = isTrue(condition);
            gate.touched(touch(current));
            if (!holds) {
                steps.add(new StepResult(step.name(), "", List.of(), Optional.empty()));
                return Optional.empty();
            }
        }
        String sql = Sql.substitute(text(step.sql()), variables);
        List<List<String>> rows = new ArrayList<>();
        current = footprint(sql);
        currentLevel = state.sends(sql);
        // Told before too: of a step that has to wait it must be known what it is after.
        gate.touched(new Touch(backend, current, true, currentLevel));
        int count = executeAndRead(sql, rows, step.into());
        steps.add(new StepResult(step.name(), sql, rows, Optional.empty()));
        boolean isRejected =
                step.expectRows().isPresent() && count != step.expectRows().getAsInt();
        if (isRejected) {
            rollBack();
        }
        gate.touched(touch(current));
        return isRejected ? Optional.of(ROW_COUNT_REJECTED) : Optional.empty();
    }

    private boolean isTrue(String condition) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(condition)) {
            return result.next() && result.getBoolean(1);
        }
    }

    /** Reads all rows of all results; the count is that of the last statement. */
    private int executeAndRead(String sql, List<List<String>> rows, List<String> into) throws SQLException {
        int count = 0;
        boolean bound = into.isEmpty();
        try (Statement statement = connection.createStatement()) {
            boolean isRows = statement.execute(sql);
            while (isRows || statement.getUpdateCount() >= 0) {
                if (isRows) {
                    try (ResultSet result = statement.getResultSet()) {
                        count = read(result, rows, bound ? List.of() : into);
                        bound = true;
                    }
                } else {
                    count = statement.getUpdateCount();
                }
                isRows = statement.getMoreResults();
            }
        }
        if (!bound) {
            into.forEach(name -> variables.put(name, null));
        }
        return count;
    }

    private int read(ResultSet result, List<List<String>> rows, List<String> into) throws SQLException {
        int columns = result.getMetaData().getColumnCount();
        if (into.size() > columns) {
            throw new SQLException("the step reads " + columns + " column(s) into " + into.size() + " names: " + into);
        }
        int count = 0;
        into.forEach(name -> variables.put(name, null));
        while (result.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 1; i <= columns; i++) {
                String value = result.getString(i);
                row.add(value == null ? "NULL" : value);
                if (count == 0 && i <= into.size()) {
                    variables.put(
                            into.get(i - 1), literal(value, result.getMetaData().getColumnType(i)));
                }
            }
            rows.add(row);
            count++;
        }
        return count;
    }

    /** A number stays one, so that {@code :a + :b} is an addition; all else is a literal whose type its use decides. */
    private static @Nullable String literal(@Nullable String value, int type) {
        if (value == null) {
            return null;
        }
        return switch (type) {
            case Types.SMALLINT, Types.INTEGER, Types.BIGINT -> value;
            case Types.NUMERIC, Types.DOUBLE, Types.REAL -> Sql.literal(value) + "::numeric";
            default -> Sql.literal(value);
        };
    }

    @Override
    public void mayDeadlock(boolean may) {
        if (mayDeadlock != null && mayDeadlock == may) {
            return;
        }
        try {
            execute("SET deadlock_timeout = " + (may ? "'1ms'" : "'1h'"));
            mayDeadlock = may;
        } catch (SQLException e) {
            if (!IN_FAILED_TRANSACTION.equals(e.getSQLState())) {
                throw new RaceException("deadlock_timeout cannot be set: " + e.getMessage(), e);
            }
            mayDeadlock = null;
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void executeUnchecked(String sql) {
        try {
            execute(sql);
        } catch (SQLException e) {
            throw new RaceException(sql + " failed: " + e.getMessage(), e);
        }
    }

    private void rollBack() {
        executeUnchecked("ROLLBACK");
        state.ended();
        mayDeadlock = null;
    }

    @Override
    public void finish() {
        if (state.isOpen()) {
            rollBack();
        }
    }

    @Override
    public void leave() {
        rollBack();
        executeUnchecked("SELECT pg_advisory_unlock_all()");
    }
}
