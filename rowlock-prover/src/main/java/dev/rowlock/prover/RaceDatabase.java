package dev.rowlock.prover;

import dev.rowlock.prover.engine.Explorer;
import dev.rowlock.prover.engine.Gates;
import dev.rowlock.prover.engine.JavaRace;
import dev.rowlock.prover.engine.JavaRaceSpec;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * A disposable PostgreSQL database in which races are run. What acts in a race must get its connections from {@link #dataSource()},
 * directly or through a pool on top of it: only there does the prover see them, and a race whose actors use others is never
 * {@code Proved}.
 */
public final class RaceDatabase implements AutoCloseable {
    private final DataSource plain;
    private final DataSource gated;
    private final JavaRace.Place place;
    private final List<Consumer<RaceReport>> listeners = new ArrayList<>();
    private final Closing closing;

    @FunctionalInterface
    private interface Closing {
        void close() throws SQLException;
    }

    private RaceDatabase(DataSource plain, DataSource actors, String schema, boolean alone, Closing closing) {
        Gates gates = new Gates();
        this.plain = plain;
        this.gated = gates.before(actors);
        this.place = new JavaRace.Place(plain, gates, schema, alone);
        this.closing = closing;
    }

    /**
     * A new, empty database on a throw-away PostgreSQL that this JVM starts when it is first needed. {@link #close()} drops it.
     *
     * @throws IllegalStateException if it cannot be made
     */
    public static RaceDatabase throwAway() {
        try {
            String name = ThrowAwayServer.createDatabase();
            ReusedConnections actors = new ReusedConnections(ThrowAwayServer.pooled(name));
            return new RaceDatabase(ThrowAwayServer.plain(name), actors, "public", true, () -> {
                actors.close();
                ThrowAwayServer.dropDatabase(name);
            });
        } catch (SQLException e) {
            throw new IllegalStateException("a database for races cannot be made: " + e.getMessage(), e);
        }
    }

    /**
     * A database of yours. It must be disposable: the prover empties and fills its tables, and nobody else may use it meanwhile.
     *
     * @param disposable opens connections of the PostgreSQL JDBC driver as a superuser, who may set {@code deadlock_timeout} and
     *     {@code session_replication_role}; {@link #close()} does not touch it
     * @param schema that holds the tables, such as {@code public}
     */
    public static RaceDatabase over(DataSource disposable, String schema) {
        if (!schema.matches("[a-z_][a-z0-9_]*")) {
            throw new IllegalArgumentException("a schema's name is expected, in small letters: " + schema);
        }
        return new RaceDatabase(disposable, disposable, schema, false, () -> {});
    }

    /**
     * What the code under test must use. Connections are lent again after they were closed, as by a pool without a limit, and keep
     * what was set on them.
     */
    public DataSource dataSource() {
        return gated;
    }

    /**
     * Runs SQL outside of any race, such as the statements that create the tables.
     *
     * @return this
     * @throws IllegalArgumentException if the database refuses one
     */
    public RaceDatabase execute(String... sql) {
        try (Connection connection = plain.getConnection();
                Statement statement = connection.createStatement()) {
            for (String one : sql) {
                statement.execute(one);
            }
            return this;
        } catch (SQLException e) {
            throw new IllegalArgumentException("the database refuses this SQL: " + e.getMessage(), e);
        }
    }

    /** Has every report on a race in this database told, before anything is thrown because of it. */
    public void onReport(Consumer<RaceReport> listener) {
        listeners.add(listener);
    }

    RaceReport explore(JavaRaceSpec race, Explorer.Limits limits) {
        try {
            RaceReport report = new RaceReport(
                    race.name(), List.copyOf(race.actors().keySet()), new JavaRace(race, place).explore(limits));
            listeners.forEach(listener -> listener.accept(report));
            return report;
        } catch (SQLException e) {
            throw new IllegalStateException("the race's database does not work: " + e.getMessage(), e);
        }
    }

    /**
     * Drops the database if it is a throw-away one. Pools on top of {@link #dataSource()} should be closed before.
     *
     * @throws IllegalStateException if that fails
     */
    @Override
    public void close() {
        try {
            closing.close();
        } catch (SQLException e) {
            throw new IllegalStateException("the race's database cannot be dropped: " + e.getMessage(), e);
        }
    }
}
