package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.Footprints.Visit;
import dev.rowlock.prover.scenario.IsolationLevel;
import dev.rowlock.prover.scenario.Observation;
import dev.rowlock.prover.scenario.Scenario;
import dev.rowlock.prover.scenario.SessionSpec;
import dev.rowlock.prover.scenario.SqlBlock;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** Makes a race of a scenario file, one connection for each session and one for control. */
public final class ScenarioRace implements AutoCloseable {
    private final Scenario scenario;
    private final Control control;
    private final Footprints footprints;
    private final List<Connection> connections = new ArrayList<>();
    private final RaceSpec race;

    /** Opens connections to a disposable database; each call gives a new one. */
    @FunctionalInterface
    public interface Database {
        /**
         * A new connection in auto-commit mode, of the PostgreSQL driver, that sends statements in the simple query protocol, so that several in one step
         * are one message, as in PostgreSQL's own tester. Its search path is the given schema, also after {@code DISCARD ALL}.
         * Called by several threads at once.
         */
        Connection connect(String schema) throws SQLException;
    }

    /**
     * Opens the connections.
     *
     * @param schema of the race alone; dropped and made anew for each schedule
     * @param override the level of all transactions, whatever the scenario says
     */
    public ScenarioRace(Scenario scenario, Database database, String schema, Optional<IsolationLevel> override)
            throws SQLException {
        this.scenario = scenario;
        List<Connection> opened = open(database, schema, scenario.sessions().size() + 1);
        try {
            Connection own = opened.get(0);
            this.control = new Control(own, schema);
            this.footprints = Footprints.sharing(own);
            this.connections.addAll(opened.subList(1, opened.size()));
            this.race = race(scenario, override);
        } catch (SQLException | RuntimeException e) {
            closeAfter(e, opened);
            throw e;
        }
    }

    /** All at once: to begin a session takes the server as long as a schedule. */
    private static List<Connection> open(Database database, String schema, int count) throws SQLException {
        List<Future<Connection>> opening = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            opening.add(Threads.POOL.submit(() -> database.connect(schema)));
        }
        List<Connection> opened = new ArrayList<>();
        Optional<SQLException> failure = Optional.empty();
        for (Future<Connection> one : opening) {
            try {
                opened.add(one.get());
            } catch (ExecutionException e) {
                failure = Optional.of(
                        e.getCause() instanceof SQLException refused ? refused : new SQLException(e.getCause()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failure = Optional.of(new SQLException("interrupted while connecting", e));
            }
        }
        if (failure.isPresent()) {
            closeAfter(failure.get(), opened);
            throw failure.get();
        }
        return opened;
    }

    private static void closeAfter(Exception failure, List<Connection> opened) {
        for (Connection connection : opened) {
            try {
                connection.close();
            } catch (SQLException e) {
                failure.addSuppressed(e);
            }
        }
    }

    private RaceSpec race(Scenario scenario, Optional<IsolationLevel> override) throws SQLException {
        List<Program> programs = new ArrayList<>();
        for (int i = 0; i < connections.size(); i++) {
            programs.add(new SessionProgram(scenario.sessions().get(i), override, connections.get(i), footprints));
        }
        Map<String, String> invariants = new LinkedHashMap<>();
        scenario.invariants().forEach(i -> invariants.put(i.text(), i.sql().text()));
        return new RaceSpec(
                scenario.name(),
                scenario.setups().stream().map(SqlBlock::text).toList(),
                programs,
                invariants,
                scenario.ignored().stream()
                        .map(c -> c.table() + "." + c.column())
                        .collect(Collectors.toSet()),
                scenario.observe() == Observation.READS);
    }

    /** Runs all schedules within the limits. */
    public Report explore(Explorer.Limits limits) {
        return explore(limits, schedules -> {});
    }

    /** Runs all schedules within the limits, and tells after each. */
    public Report explore(Explorer.Limits limits, Progress progress) {
        return new Explorer(control, footprints, race, limits)
                .explore(progress)
                .withInterleavings(limits.overlap() ? Optional.empty() : interleavings());
    }

    /**
     * Runs one schedule of the scenario.
     *
     * @param steps as {@link #schedule} gives them; behind the last one the sessions go on in their order
     * @throws IllegalArgumentException as of {@link #schedule}
     */
    public Report replay(List<String> steps, Explorer.Limits limits) {
        requireSteps(scenario, steps);
        return new Explorer(control, footprints, race, limits).replay(steps).withInterleavings(interleavings());
    }

    /**
     * Reads the steps of a schedule of this scenario. A step goes by its name, the commit of a session that is one transaction by
     * {@code commit(name)}.
     *
     * @param text as {@link Execution#schedule} gives it
     * @throws IllegalArgumentException if the quotes in it do not fit, or if the scenario has no step of one of the names; the
     *     message tells which there are
     */
    public static List<String> schedule(Scenario scenario, String text) {
        List<String> steps = ScheduleText.read(text);
        requireSteps(scenario, steps);
        return steps;
    }

    private static void requireSteps(Scenario scenario, List<String> steps) {
        List<String> known = steps(scenario);
        List<String> unknown =
                steps.stream().filter(step -> !known.contains(step)).distinct().toList();
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(scenario.name() + " has no step " + ScheduleText.write(unknown)
                    + "; its steps are " + ScheduleText.write(known));
        }
    }

    /** The names of all steps, session by session. */
    static List<String> steps(Scenario scenario) {
        List<String> names = new ArrayList<>();
        for (SessionSpec session : scenario.sessions()) {
            session.steps().forEach(step -> names.add(step.name()));
            if (session.transaction()) {
                names.add("commit(" + session.name() + ")");
            }
        }
        return names;
    }

    /** Where this SQL goes, by the schema that the schedule run last has left behind. */
    List<Visit> visits(String sql) {
        learnAgain();
        return footprints.visits(sql);
    }

    /** Whether it is known what this SQL can touch. */
    boolean understands(String sql) {
        learnAgain();
        return !footprints.of(sql).unknown();
    }

    /** A schedule may have ended all knowledge of the schema, but nobody changes it now. */
    private void learnAgain() {
        if (!footprints.isLearning()) {
            footprints.learn();
        }
    }

    /**
     * How many ways there are to interleave the sessions' steps, which is the most that can be run: the multinomial coefficient;
     * empty where a session may be run again.
     */
    public Optional<BigInteger> interleavings() {
        BigInteger ways = BigInteger.ONE;
        int placed = 0;
        for (SessionSpec session : scenario.sessions()) {
            if (session.attempts() > 1) {
                return Optional.empty();
            }
            int steps = session.steps().size() + (session.transaction() ? 1 : 0);
            for (int i = 1; i <= steps; i++) {
                placed++;
                ways = ways.multiply(BigInteger.valueOf(placed)).divide(BigInteger.valueOf(i));
            }
        }
        return Optional.of(ways);
    }

    @Override
    public void close() throws SQLException {
        for (Connection connection : connections) {
            connection.close();
        }
        footprints.close();
        control.close();
    }
}
