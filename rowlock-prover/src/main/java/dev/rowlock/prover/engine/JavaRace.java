package dev.rowlock.prover.engine;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/** Explores a race of code in Java. The rows that the schema holds before are there again after. */
public final class JavaRace {
    private static final String COLUMN = """
            SELECT 1
            FROM information_schema.columns
            WHERE table_schema = ? AND table_name || '.' || column_name = ?""";

    private final JavaRaceSpec spec;
    private final Place place;
    private final Journal journal = new Journal();

    /**
     * Where a race takes place.
     *
     * @param database opens connections for the prover itself
     * @param gates before the data source that the actors use
     * @param schema that holds the data
     * @param alone whether each new connection behind the gates is handed out at once, and counted by the server before, so that
     *     the count of sessions tells whether somebody opened others
     */
    public record Place(DataSource database, Gates gates, String schema, boolean alone) {}

    /** A race to explore once. */
    public JavaRace(JavaRaceSpec spec, Place place) {
        this.spec = spec;
        this.place = place;
    }

    /**
     * Runs all schedules within the limits. Before that, every actor runs four times, so that what it does the first time only (a
     * pool that fills, a class that loads) is over, and one serial order twice, so that it is known to replay.
     */
    public Report explore(Explorer.Limits limits) throws SQLException {
        place.gates().begin();
        try (Connection connection = open()) {
            SavedData before = SavedData.of(connection, place.schema(), true)
                    .orElseThrow(
                            () -> new RaceException("content alone cannot bring " + place.schema() + " back", null));
            try {
                give(connection);
                return exploreGiven(connection, limits);
            } finally {
                before.restore();
                reset(connection);
            }
        } finally {
            place.gates().end();
        }
    }

    private void give(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            for (String sql : spec.given()) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new RaceException("what is given cannot be set up: " + e.getMessage(), e);
        }
    }

    private Report exploreGiven(Connection connection, Explorer.Limits limits) throws SQLException {
        requireIgnored(connection);
        Connection controlling = open();
        Connection learning = open();
        try (Control control = Control.adopting(controlling, place.schema())) {
            Set<Integer> internal = Set.of(
                    DriverSession.of(connection).backend(),
                    DriverSession.of(controlling).backend(),
                    DriverSession.of(learning).backend());
            Outsiders outsiders = new Outsiders(connection, place.gates(), internal, place.alone());
            Footprints footprints = new Footprints(learning);
            JavaProgram.Stage stage = new JavaProgram.Stage(spec, place.gates(), journal, footprints, control);
            List<JavaProgram> programs = new ArrayList<>();
            spec.actors().forEach((name, code) -> programs.add(new JavaProgram(name, code, stage)));
            Report report = explored(control, footprints, programs, limits);
            List<String> doubts = doubts(outsiders);
            if (report.schedules() > 0) {
                doubts.addAll(silent(programs));
            }
            return doubted(report, doubts);
        } finally {
            reset(learning);
            learning.close();
        }
    }

    /** It may go back to a pool. */
    private static void reset(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DISCARD ALL");
        }
    }

    /** Where sessions are counted, the prover's own are counted before the race begins. */
    private Connection open() throws SQLException {
        Connection connection = place.database().getConnection();
        if (place.alone()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT pg_stat_force_next_flush()");
            }
        }
        return connection;
    }

    /** A misspelt column would be compared in silence, or be missed in silence once it is renamed. */
    private void requireIgnored(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(COLUMN)) {
            for (String column : spec.ignored()) {
                statement.setString(1, place.schema());
                statement.setString(2, column);
                try (ResultSet found = statement.executeQuery()) {
                    if (!found.next()) {
                        throw new RaceException("there is no column to ignore: " + column, null);
                    }
                }
            }
        }
    }

    private Report explored(
            Control control, Footprints footprints, List<JavaProgram> programs, Explorer.Limits limits) {
        RaceSpec race =
                new RaceSpec(spec.name(), List.of(), List.copyOf(programs), spec.invariants(), spec.ignored(), false);
        try {
            new Rehearsal(control, race, journal).run(limits.step());
        } catch (UnexplorableException e) {
            return Report.notRun(List.of(String.valueOf(e.getMessage())));
        }
        return new Explorer(control, footprints, race, limits).explore(schedules -> {});
    }

    private List<String> doubts(Outsiders outsiders) throws SQLException {
        List<String> doubts = new ArrayList<>(place.gates().reasons());
        doubts.addAll(journal.differences());
        doubts.addAll(outsiders.found());
        return doubts;
    }

    private static List<String> silent(List<JavaProgram> programs) {
        return programs.stream()
                .filter(program -> !program.hasTakenSteps())
                .map(program -> "actor " + program.name()
                        + " sent nothing through the race's data source; give its code RaceDatabase.dataSource()")
                .toList();
    }

    /** A schedule that went wrong went wrong, whatever else happened; but with a doubt nothing is proved. */
    private static Report doubted(Report report, List<String> doubts) {
        if (doubts.isEmpty() || report.verdict() instanceof Verdict.Violated) {
            return report;
        }
        Set<String> reasons = new LinkedHashSet<>(doubts);
        if (report.verdict() instanceof Verdict.Undecided undecided) {
            reasons.addAll(undecided.reasons());
        }
        return report.undecided(List.copyOf(reasons));
    }
}
