package dev.rowlock.prover;

import static dev.rowlock.prover.Violations.assertViolated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.engine.Verdict.Anomaly;
import dev.rowlock.prover.engine.Verdict.Proved;
import dev.rowlock.prover.engine.Verdict.Undecided;
import dev.rowlock.prover.engine.Verdict.Violated;
import dev.rowlock.prover.junit.RaceExtension;
import java.io.ByteArrayInputStream;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Another transaction can come between the statements of a batch, and between those of one text. */
@ExtendWith(RaceExtension.class)
class BatchTest {
    private static final String BONUS = "UPDATE wallet SET balance = balance + 10 WHERE id = ?";

    private RaceDatabase database;

    @BeforeEach
    void open(RaceDatabase given) {
        database = given.execute(Wallets.TABLE);
    }

    private Race wallets() {
        return Race.on(database).given("INSERT INTO wallet VALUES (1, 100), (2, 100)");
    }

    private Race both(Jdbc.Work<?> a, Jdbc.Work<?> b) {
        return wallets()
                .actor("A", () -> Jdbc.inTransaction(database.dataSource(), a))
                .actor("B", () -> Jdbc.inTransaction(database.dataSource(), b));
    }

    private static String bonuses(Connection connection, int... wallets) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(BONUS)) {
            for (int wallet : wallets) {
                statement.setInt(1, wallet);
                statement.addBatch();
            }
            return Arrays.toString(statement.executeBatch());
        }
    }

    private static String texts(Connection connection, int... wallets) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (int wallet : wallets) {
                statement.addBatch(BONUS.replace("?", String.valueOf(wallet)));
            }
            return Arrays.toString(statement.executeLargeBatch());
        }
    }

    private static String calls(Connection connection, int... wallets) throws SQLException {
        try (PreparedStatement statement = connection.prepareCall(BONUS)) {
            for (int wallet : wallets) {
                statement.setInt(1, wallet);
                statement.addBatch();
            }
            return Arrays.toString(statement.executeBatch());
        }
    }

    @Test
    void batchesInContraryOrdersDeadlock() {
        Violated violated = assertViolated(both(c -> bonuses(c, 1, 2), c -> bonuses(c, 2, 1)), Anomaly.DEADLOCK);

        assertThat(violated.execution().inOrder())
                .extracting(step -> step.step() + " " + step.sql())
                .contains(
                        "A1 UPDATE wallet SET balance = balance + 10 WHERE id = 1",
                        "A2 UPDATE wallet SET balance = balance + 10 WHERE id = 2");
        assertViolated(both(c -> texts(c, 1, 2), c -> texts(c, 2, 1)), Anomaly.DEADLOCK);
        assertViolated(both(c -> calls(c, 1, 2), c -> calls(c, 2, 1)), Anomaly.DEADLOCK);
    }

    @Test
    void batchesInOneOrderAreProved() {
        both(c -> bonuses(c, 1, 2), c -> bonuses(c, 1, 2)).prove();
        both(c -> texts(c, 1, 2), c -> texts(c, 1, 2)).prove();
    }

    @Test
    void batchesUnderALockAreProved() {
        String lock = "SELECT balance FROM wallet WHERE id = 1 FOR UPDATE";
        both(
                        c -> Jdbc.number(c, lock) > 0 ? bonuses(c, 1, 2) : "",
                        c -> Jdbc.number(c, lock) > 0 ? bonuses(c, 2, 1) : "")
                .prove();
    }

    /** In auto-commit mode the driver makes one transaction of a batch, which holds its locks to the end. */
    @Test
    void batchInAutoCommitModeIsOneTransaction() {
        Race contrary = wallets()
                .actor("A", () -> Jdbc.autoCommit(database.dataSource(), c -> bonuses(c, 1, 2)))
                .actor("B", () -> Jdbc.autoCommit(database.dataSource(), c -> bonuses(c, 2, 1)));
        assertViolated(contrary, Anomaly.DEADLOCK);

        wallets()
                .actor("A", () -> Jdbc.autoCommit(database.dataSource(), c -> bonuses(c, 1, 2)))
                .actor("B", () -> Jdbc.autoCommit(database.dataSource(), c -> bonuses(c, 1, 2)))
                .invariant("both or none", "SELECT count(DISTINCT balance) = 1 FROM wallet")
                .prove();
    }

    /** The same as without a race: the counts, the SQLSTATE, the message with its place, and nothing is done. */
    @Test
    void failingBatchFailsAsTheDriverHasIt() throws SQLException {
        Jdbc.Work<String> failing = connection -> {
            try (PreparedStatement statement =
                    connection.prepareStatement("UPDATE wallet SET balance = 100 / ? WHERE id = 1")) {
                for (int divisor : new int[] {5, 0, 4}) {
                    statement.setInt(1, divisor);
                    statement.addBatch();
                }
                return Arrays.toString(statement.executeBatch());
            } catch (BatchUpdateException e) {
                return told(e);
            }
        };
        database.execute("INSERT INTO wallet VALUES (1, 100)");
        String alone = Jdbc.autoCommit(database.dataSource(), failing);
        database.execute("DELETE FROM wallet");
        assertThat(alone).contains("[-3, -3, -3]22012", "Batch entry 1 ");

        Report report = wallets()
                .actor("A", () -> Jdbc.autoCommit(database.dataSource(), failing))
                .actor("B", () -> inOpenTransaction(failing))
                .invariant("nothing is done", "SELECT min(balance) = 100 FROM wallet")
                .explore();

        assertThat(report.verdict()).isEqualTo(new Proved());
        assertThat(report.outcomes())
                .singleElement()
                .satisfies(outcome -> assertThat(outcome.outcome().split(Pattern.quote(alone), -1))
                        .hasSize(3));
    }

    private static String told(BatchUpdateException e) {
        return Arrays.toString(e.getLargeUpdateCounts())
                + e.getSQLState()
                + e.getMessage()
                + e.getCause()
                + e.getNextException()
                + e.getErrorCode();
    }

    /** The driver comes upon what is checked at the end of the transaction behind the last statement. */
    @Test
    void batchThatCannotBeCommittedFailsAsTheDriverHasIt() throws SQLException {
        database.execute("CREATE TABLE seat (place int UNIQUE DEFERRABLE INITIALLY DEFERRED)");
        Jdbc.Work<String> twice = connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.addBatch("DELETE FROM seat");
                statement.clearBatch();
                statement.addBatch("INSERT INTO seat VALUES (1)");
                statement.addBatch("INSERT INTO seat VALUES (1)");
                return Arrays.toString(statement.executeBatch());
            } catch (BatchUpdateException e) {
                return told(e);
            }
        };
        String alone = Jdbc.autoCommit(database.dataSource(), twice);
        assertThat(alone).contains("[-3, -3]23505");

        Report report = wallets()
                .actor("A", () -> Jdbc.autoCommit(database.dataSource(), twice))
                .actor("B", () -> Jdbc.autoCommit(database.dataSource(), c -> Jdbc.number(c, "SELECT 1")))
                .explore();

        assertThat(report.outcomes())
                .singleElement()
                .satisfies(outcome -> assertThat(outcome.outcome()).contains(alone));
    }

    private String inOpenTransaction(Jdbc.Work<String> work) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            try {
                return work.with(connection);
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    @Test
    void generatedKeysOfAllStatementsAreThere() {
        Jdbc.Work<String> inserting = connection -> {
            try (PreparedStatement statement = connection.prepareStatement(
                    "INSERT INTO wallet VALUES (?, 0) ON CONFLICT DO NOTHING", Statement.RETURN_GENERATED_KEYS)) {
                for (int id : new int[] {1, 7, 8}) {
                    statement.setInt(1, id);
                    statement.addBatch();
                }
                StringBuilder told = new StringBuilder(Arrays.toString(statement.executeBatch()));
                try (ResultSet keys = statement.getGeneratedKeys()) {
                    told.append(' ').append(keys.getMetaData().getColumnName(1));
                    while (keys.next()) {
                        told.append(' ').append(keys.getInt("id"));
                    }
                }
                return told.append(statement.executeBatch().length).toString();
            }
        };
        both(inserting, c -> "nothing " + Jdbc.number(c, "SELECT 1")).prove();

        Report report = both(inserting, c -> Jdbc.number(c, "SELECT 1")).explore();
        assertThat(report.outcomes())
                .singleElement()
                .satisfies(outcome -> assertThat(outcome.outcome()).contains("returned [0, 1, 1] id 7 80"));
    }

    @Test
    void parametersAreKeptFromOneToTheNext() {
        Jdbc.Work<String> setting = connection -> {
            try (PreparedStatement statement =
                    connection.prepareStatement("UPDATE wallet SET balance = ? WHERE id = ?")) {
                statement.setInt(1, 50);
                statement.setInt(2, 1);
                statement.addBatch();
                statement.setInt(2, 2);
                statement.addBatch();
                statement.setInt(1, 60);
                return Arrays.toString(statement.executeBatch()) + statement.executeUpdate();
            }
        };
        both(setting, c -> Jdbc.number(c, "SELECT 1"))
                .invariant("50 and then 60", "SELECT sum(balance) = 110 AND max(balance) = 60 FROM wallet")
                .prove();
    }

    private static void assertUndecided(Race race, String... parts) {
        assertThat(race.explore().verdict())
                .isInstanceOfSatisfying(
                        Undecided.class,
                        undecided -> assertThat(undecided.reasons())
                                .anySatisfy(reason -> assertThat(reason).contains(parts)));
    }

    @Test
    void batchThatCannotBeDividedIsUndecided() {
        Jdbc.Work<String> streaming = connection -> {
            try (PreparedStatement statement =
                    connection.prepareStatement("UPDATE wallet SET balance = length(?) WHERE id = 1")) {
                for (int i = 0; i < 2; i++) {
                    statement.setBinaryStream(1, new ByteArrayInputStream(new byte[] {1}));
                    statement.addBatch();
                }
                return Arrays.toString(statement.executeBatch());
            }
        };
        assertUndecided(both(streaming, c -> Jdbc.number(c, "SELECT 1")), "actor A", "streams", "length(?)");

        Race returning = wallets()
                .actor(
                        "A",
                        () -> Jdbc.autoCommit(database.dataSource(), c -> {
                            try (Statement statement = c.createStatement()) {
                                statement.addBatch("UPDATE wallet SET balance = 1 WHERE id = 1 RETURNING id");
                                statement.addBatch("UPDATE wallet SET balance = 1 WHERE id = 2 RETURNING id");
                                return Arrays.toString(statement.executeBatch());
                            } catch (SQLException e) {
                                return e.getSQLState();
                            }
                        }))
                .actor("B", () -> Jdbc.autoCommit(database.dataSource(), c -> Jdbc.number(c, "SELECT 1")));
        assertUndecided(returning, "actor A", "auto-commit mode");
    }

    @Test
    void textOfSeveralStatementsIsUndecided() {
        Jdbc.Work<Boolean> two = c -> {
            try (Statement statement = c.createStatement()) {
                return statement.execute(
                        "UPDATE wallet SET balance = 1 WHERE id = 1; UPDATE wallet SET balance = 1 WHERE id = 2");
            }
        };
        assertUndecided(
                both(two, two), "actor A", "send them one by one", "UPDATE wallet SET balance = 1 WHERE id = 1;");
    }
}
