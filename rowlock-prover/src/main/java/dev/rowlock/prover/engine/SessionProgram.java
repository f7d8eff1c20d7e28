package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.ActorResult.Status;
import dev.rowlock.prover.engine.ActorResult.StepResult;
import dev.rowlock.prover.scenario.IsolationLevel;
import dev.rowlock.prover.scenario.SessionSpec;
import dev.rowlock.prover.scenario.Sql;
import dev.rowlock.prover.scenario.SqlBlock;
import dev.rowlock.prover.scenario.StepSpec;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A session of a scenario file on a connection of its own. */
final class SessionProgram implements Program.StepByStep {
    private static final Set<String> RETRYABLE = Set.of("40001", "40P01");
    private static final String DEADLOCK = "40P01";
    private static final Pattern SETTING = Pattern.compile("SET\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern BEGINNING = Pattern.compile("(BEGIN|START)\\b", Pattern.CASE_INSENSITIVE);
    private static final String ROW_COUNT_REJECTED = "rejected";

    private final SessionSpec session;
    private final Optional<IsolationLevel> override;
    private final SessionLine line;
    private final Set<Integer> backends;
    private final Footprints footprints;
    private final SessionState state;
    /** Whether its setup does no more than begin a transaction. */
    private final boolean onlyBegins;
    /** Whether it may wait for something that no footprint shows: a snapshot in which nothing can go wrong any more. */
    private final boolean deferrable;

    private Footprint prepared = Footprint.NOTHING;
    /** Of the step under way. */
    private Footprint current = Footprint.NOTHING;

    private Touch.Level currentLevel = Touch.Level.READ_COMMITTED;

    private final Map<String, @Nullable String> variables = new HashMap<>();
    private final List<StepResult> steps = new ArrayList<>();
    private int attempt;
    /** The step it stands before; behind the last one comes the commit of a session that is one transaction. */
    private int at;

    private boolean begun;
    /** The SQLSTATE or {@link #ROW_COUNT_REJECTED} that ended this attempt. Steps behind it are passed without effect. */
    private Optional<String> ended = Optional.empty();

    SessionProgram(SessionSpec session, Optional<IsolationLevel> override, Connection connection, Footprints footprints)
            throws SQLException {
        this.session = session;
        this.footprints = footprints;
        this.override = override;
        this.line = new SessionLine(session.name(), connection, override.isPresent() ? override : session.isolation());
        this.backends = Set.of(line.backend());
        this.state = new SessionState(line.level());
        this.onlyBegins = session.setup().map(SqlBlock::text).stream()
                .flatMap(setup -> Sql.statements(setup).stream())
                .allMatch(piece -> BEGINNING.matcher(piece.text()).lookingAt());
        this.deferrable = session.setup().stream().anyMatch(SessionProgram::mayDefer)
                || session.steps().stream().map(StepSpec::sql).anyMatch(SessionProgram::mayDefer);
    }

    private static boolean mayDefer(SqlBlock block) {
        return block.text().toUpperCase(Locale.ROOT).contains("DEFERRABLE");
    }

    @Override
    public String name() {
        return session.name();
    }

    @Override
    public Set<Integer> backends() {
        return backends;
    }

    @Override
    public void foresee(Footprints learning) {
        session.steps().stream()
                .map(step -> text(step.sql()))
                .filter(sql -> Sql.parameters(sql).isEmpty())
                .forEach(learning::of);
    }

    @Override
    public boolean preparesAlone() {
        return onlyBegins && line.isPristine();
    }

    @Override
    public void prepare() {
        variables.clear();
        currentLevel = Touch.Level.READ_COMMITTED;
        attempt = 0;
        try {
            line.renew();
            prepared = Footprint.NOTHING;
            if (session.setup().isPresent()) {
                String setup = text(session.setup().orElseThrow());
                prepared = footprint(setup);
                currentLevel = state.sends(setup);
                line.execute(setup);
            }
        } catch (SQLException e) {
            throw new RaceException("setup of session " + name() + " failed: " + e.getMessage(), e);
        }
    }

    private Footprint footprint(String sql) {
        Footprint found = footprints.of(sql);
        if (found.unknown()
                || Sql.statements(sql).stream()
                        .anyMatch(piece -> SETTING.matcher(piece.text()).lookingAt())) {
            line.willChange();
        }
        return found;
    }

    private Touch touch(Footprint footprint) {
        Touch.Level level = currentLevel.compareTo(state.level()) > 0 ? currentLevel : state.level();
        return new Touch(line.backend(), footprint, state.isOpen(), level);
    }

    private String text(SqlBlock block) {
        return override.map(level -> Isolations.override(block.text(), level)).orElse(block.text());
    }

    @Override
    public Optional<String> advance(Telling telling) {
        if (attempt == 0) {
            telling.touched(touch(prepared));
            begin();
        } else {
            if (at < session.steps().size()) {
                step(session.steps().get(at), telling);
            } else {
                commit(telling);
            }
            at++;
            if (at == length() && mayTryAgain()) {
                rollBack();
                begin();
            }
        }
        return at < length() ? Optional.of(nameOf(at)) : Optional.empty();
    }

    /** Begins an attempt. */
    private void begin() {
        attempt++;
        at = 0;
        begun = !session.transaction();
        ended = Optional.empty();
        steps.clear();
        variables.clear();
    }

    private int length() {
        return session.steps().size() + (session.transaction() ? 1 : 0);
    }

    private String nameOf(int place) {
        return place < session.steps().size() ? session.steps().get(place).name() : "commit(" + session.name() + ")";
    }

    private boolean mayTryAgain() {
        return attempt < session.attempts() && ended.filter(RETRYABLE::contains).isPresent();
    }

    @Override
    public ActorResult result() {
        Status status = ended.map(by -> by.equals(ROW_COUNT_REJECTED) ? Status.REJECTED : Status.ABORTED)
                .orElse(Status.COMMITTED);
        return new ActorResult(
                status, status == Status.ABORTED ? ended : Optional.empty(), Optional.empty(), List.copyOf(steps));
    }

    @Override
    public Footprint next() {
        if (deferrable) {
            return Footprint.UNKNOWN;
        }
        if (ended.isPresent() || at >= session.steps().size()) {
            return Footprint.NOTHING;
        }
        StepSpec step = session.steps().get(at);
        String sql = text(step.sql());
        if (!isBound(sql) || !step.when().map(SqlBlock::text).map(this::isBound).orElse(true)) {
            return Footprint.UNKNOWN;
        }
        Footprint found = footprints.of(Sql.substitute(sql, variables));
        return step.when().isPresent() ? found.and(footprints.of(condition(step))) : found;
    }

    /** Whether every name has a value: a step that was skipped gives none. */
    private boolean isBound(String sql) {
        return Sql.parameters(sql).stream().map(Sql.Piece::text).allMatch(variables::containsKey);
    }

    private void step(StepSpec step, Telling telling) {
        if (ended.isPresent()) {
            steps.add(new StepResult(step.name(), "", List.of(), Optional.empty()));
            telling.touched(touch(Footprint.NOTHING));
            return;
        }
        try {
            if (!begun) {
                state.sends("BEGIN");
                line.execute("BEGIN");
                begun = true;
            }
            ended = take(step, telling);
        } catch (SQLException e) {
            ended = failed(step.name(), step.sql().text(), e, telling);
        }
    }

    private void commit(Telling telling) {
        current = Footprint.NOTHING;
        if (ended.isEmpty()) {
            try {
                line.execute("COMMIT");
                state.ended();
            } catch (SQLException e) {
                ended = failed(nameOf(at), "COMMIT", e, telling);
            }
        }
        telling.touched(touch(Footprint.NOTHING));
    }

    /** The transaction is over at once, as it is in the server, however many of the session's steps are still to come. */
    private Optional<String> failed(String step, String sql, SQLException e, Telling telling) {
        // Who is the victim of a deadlock depends on who began to wait last, wherever that was.
        Footprint failed = DEADLOCK.equals(e.getSQLState()) ? Footprint.UNKNOWN : current;
        steps.add(new StepResult(step, sql, List.of(), Optional.of(e.getSQLState() + " " + firstLine(e))));
        rollBack();
        telling.touched(touch(failed));
        return Optional.of(String.valueOf(e.getSQLState()));
    }

    private static String firstLine(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private String condition(StepSpec step) {
        return "SELECT (" + Sql.substitute(step.when().orElseThrow().text(), variables) + ") IS TRUE";
    }

    private Optional<String> take(StepSpec step, Telling telling) throws SQLException {
        if (step.when().isPresent()) {
            String condition = condition(step);
            current = footprint(condition);
            currentLevel = state.level();
            telling.touched(touch(current));
            boolean holds = line.isTrue(condition);
            telling.touched(touch(current));
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
        telling.touched(new Touch(line.backend(), current, true, currentLevel));
        int count = line.send(sql, rows, step.into(), variables);
        steps.add(new StepResult(step.name(), sql, rows, Optional.empty()));
        boolean isRejected =
                step.expectRows().isPresent() && count != step.expectRows().getAsInt();
        if (isRejected) {
            rollBack();
        }
        telling.touched(touch(current));
        return isRejected ? Optional.of(ROW_COUNT_REJECTED) : Optional.empty();
    }

    private void rollBack() {
        line.rollBack();
        state.ended();
    }

    @Override
    public void mayDeadlock(boolean may) {
        line.mayDeadlock(may);
    }

    @Override
    public void finish() {
        rollBack();
    }

    @Override
    public void leave() {
        line.leave();
        state.ended();
    }
}
