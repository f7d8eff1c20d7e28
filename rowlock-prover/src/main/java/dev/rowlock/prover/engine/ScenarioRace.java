package dev.rowlock.prover.engine;

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
import java.util.stream.Collectors;

/** Makes a race of a scenario file, one connection for each session and one for control. */
public final class ScenarioRace implements AutoCloseable {
    private final Scenario scenario;
    private final Control control;
    private final List<Connection> connections = new ArrayList<>();
    private final Race race;

    /** Opens connections to a disposable database; each call gives a new one. */
    @FunctionalInterface
    public interface Database {
        /**
         * A new connection in auto-commit mode that sends statements in the simple query protocol, so that several in one step
         * are one message, as in PostgreSQL's own tester. Its search path is the given schema, also after {@code DISCARD ALL}.
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
        this.control = new Control(database.connect(schema), schema);
        List<Program> programs = new ArrayList<>();
        for (SessionSpec session : scenario.sessions()) {
            Connection connection = database.connect(schema);
            connections.add(connection);
            programs.add(new SessionProgram(session, override, connection));
        }
        Map<String, String> invariants = new LinkedHashMap<>();
        scenario.invariants().forEach(i -> invariants.put(i.text(), i.sql().text()));
        this.race = new Race(
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
        return new Explorer(control, race, limits).explore().withInterleavings(interleavings());
    }

    /** The multinomial coefficient of the sessions' steps; unknown where a session may be run again. */
    private Optional<BigInteger> interleavings() {
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
        control.close();
    }
}
