package dev.rowlock.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.rowlock.prover.engine.RaceException;
import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.engine.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Code in Java, written without a thought of the prover, is run in every order. */
class RaceTest {
    private RaceDatabase database;
    private Wallets wallets;

    @BeforeEach
    void open() {
        database = RaceDatabase.throwAway()
                .execute(
                        Wallets.TABLE,
                        "CREATE TABLE entry (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL)");
        wallets = new Wallets(database.dataSource());
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Race race() {
        return Race.on(database).given("INSERT INTO wallet VALUES (1, 100)");
    }

    private Race charges() {
        return race().actor("A", () -> wallets.chargeUnlocked(1, 80)).actor("B", () -> wallets.chargeUnlocked(1, 80));
    }

    private Race lockedCharges() {
        return race().actor("A", () -> wallets.chargeLocked(1, 80)).actor("B", () -> wallets.chargeLocked(1, 80));
    }

    @Test
    void lostUpdateIsFoundAndDrawn() {
        assertThatExceptionOfType(NotProvedError.class)
                .isThrownBy(charges().named("two charges")::prove)
                .withMessageContaining("two charges: violated (lost-update)")
                .withMessageContaining("A1: SELECT balance FROM wallet WHERE id = 1")
                .withMessageContaining("-> 100")
                .withMessageContaining("UPDATE wallet SET balance = 20 WHERE id")
                .withMessageContaining("-> 1 row")
                .withMessageContaining("A3: COMMIT")
                .withMessageContaining("schedule A1 B1");
    }

    /** Twenty ways to interleave three and three; those in which one actor waits for the other are six fewer. */
    @Test
    void everyOrderIsRunOnce() {
        Report report = charges().withoutReduction().explore();

        assertThat(report.schedules()).isEqualTo(14);
        assertThat(report.violating()).isEqualTo(12);
        assertThat(report.exhaustive()).isTrue();
    }

    @Test
    void reductionLeavesNoOutcomeOut() {
        List<Race> races = List.of(
                charges(),
                lockedCharges(),
                race().actor("A", () -> insert("a")).actor("B", () -> insert("b")),
                race().actor("A", this::savepointAndBatch).actor("B", () -> wallets.chargeUnlocked(1, 80)),
                Race.on(database)
                        .given("INSERT INTO wallet VALUES (1, 100), (2, 100)")
                        .actor("A", () -> drain(1, 2))
                        .actor("B", () -> drain(2, 1)),
                Race.on(database)
                        .given("INSERT INTO wallet VALUES (1, 100), (2, 100)")
                        .actor("A", () -> wallets.chargeUnlocked(1, 80))
                        .actor("B", () -> wallets.chargeUnlocked(2, 80)));

        for (Race race : races) {
            Report reduced = race.explore();
            Report whole = race.withoutReduction().explore();

            assertThat(outcomes(reduced)).isEqualTo(outcomes(whole));
            assertThat(reduced.schedules()).isLessThanOrEqualTo(whole.schedules());
        }
    }

    /** As Rowlock sends the first statement of a transaction at another level. */
    @Test
    void statementBehindASettingInTheSameTextIsNotOverlooked() {
        Race race = race().actor("A", this::chargeAtRepeatableRead).actor("B", this::chargeAtRepeatableRead);

        assertThat(outcomes(race.explore()))
                .isEqualTo(outcomes(race.withoutReduction().explore()))
                .hasSizeGreaterThan(1);
    }

    private int chargeAtRepeatableRead() throws SQLException {
        return Jdbc.inTransaction(
                database.dataSource(),
                connection -> Jdbc.update(
                        connection,
                        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;"
                                + " UPDATE wallet SET balance = balance - ? WHERE id = 1 AND balance >= 80",
                        80));
    }

    private static Set<String> outcomes(Report report) {
        return report.outcomes().stream().map(Report.Counted::outcome).collect(Collectors.toSet());
    }

    /** Twenty ways to interleave two charges of different wallets, and not one in which it matters. */
    @Test
    void independentActorsNeedOneOrder() {
        Report report = Race.on(database)
                .given("INSERT INTO wallet VALUES (1, 100), (2, 100)")
                .actor("A", () -> wallets.chargeLocked(1, 80))
                .actor("B", () -> wallets.chargeLocked(2, 80))
                .explore();

        assertThat(report.verdict()).isEqualTo(new Verdict.Proved());
        assertThat(report.schedules()).isEqualTo(1);
    }

    @Test
    void lockedChargeIsProved() {
        Report report = lockedCharges()
                .invariant("never below zero", "SELECT min(balance) >= 0 FROM wallet")
                .explore();

        assertThat(report.verdict()).isEqualTo(new Verdict.Proved());
        assertThat(report.outcomes())
                .extracting(Report.Counted::outcome)
                .allSatisfy(outcome -> assertThat(outcome)
                        .contains("returned 20", "threw InsufficientFunds: only 20 left", "wallet: (1,20)"));
    }

    @Test
    void invariantThatSerialExecutionBreaksIsFound() {
        Report report = lockedCharges()
                .invariant("stays rich", "SELECT min(balance) > 50 FROM wallet")
                .explore();

        assertThat(report.verdict())
                .isInstanceOfSatisfying(
                        Verdict.Violated.class,
                        violated -> assertThat(violated.anomaly()).isEqualTo(Verdict.Anomaly.BROKEN_INVARIANT));
    }

    @Test
    void rowsAreAsBeforeAfterwards() throws SQLException {
        database.execute("INSERT INTO wallet VALUES (2, 7)");

        lockedCharges().prove();
        lockedCharges().prove();

        try (Connection connection = database.dataSource().getConnection()) {
            assertThat(Jdbc.number(connection, "SELECT sum(id * 1000 + balance) FROM wallet"))
                    .isEqualTo(2007);
        }
    }

    /** Sequences begin at the same number in every order, or keys would make every outcome unique. */
    @Test
    void generatedKeysAreTheSameInEveryOrder() {
        Report report = race().actor("A", () -> insert("a"))
                .actor("B", () -> insert("b"))
                .explore();

        assertThat(report.verdict()).isEqualTo(new Verdict.Proved());
        assertThat(report.outcomes())
                .extracting(Report.Counted::outcome)
                .anySatisfy(outcome -> assertThat(outcome).contains("A committed\n  returned 1"))
                .anySatisfy(outcome -> assertThat(outcome).contains("A committed\n  returned 2"));
    }

    private int insert(String text) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "INSERT INTO entry (text) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
            statement.setString(1, text);
            statement.executeUpdate();
            try (ResultSet keys = statement.getGeneratedKeys()) {
                keys.next();
                return keys.getInt("id");
            }
        }
    }

    @Test
    void deadlockIsFoundAndMayBeAllowed() {
        Race race = Race.on(database)
                .given("INSERT INTO wallet VALUES (1, 100), (2, 100)")
                .actor("A", () -> drain(1, 2))
                .actor("B", () -> drain(2, 1));

        assertThat(race.explore().verdict())
                .isInstanceOfSatisfying(
                        Verdict.Violated.class,
                        violated -> assertThat(violated.anomaly()).isEqualTo(Verdict.Anomaly.DEADLOCK));
        Report allowed = race.allowDeadlocks().explore();
        assertThat(allowed.verdict()).isEqualTo(new Verdict.Proved());
        assertThat(allowed.deadlocks()).isPositive();
    }

    private int drain(int first, int second) throws SQLException {
        return Jdbc.inTransaction(database.dataSource(), connection -> {
            Jdbc.update(connection, "UPDATE wallet SET balance = 0 WHERE id = ?", first);
            return Jdbc.update(connection, "UPDATE wallet SET balance = 0 WHERE id = ?", second);
        });
    }

    /** It never learns that it was the victim of a deadlock, because it goes on and fails of that. */
    @Test
    void deadlockThatTheCodePassesOverIsOne() {
        Report report = Race.on(database)
                .given("INSERT INTO wallet VALUES (1, 100), (2, 100)")
                .actor("A", () -> drainStubbornly(1, 2))
                .actor("B", () -> drainStubbornly(2, 1))
                .explore();

        assertThat(report.deadlocks()).isPositive();
        assertThat(report.verdict())
                .isInstanceOfSatisfying(
                        Verdict.Violated.class,
                        violated -> assertThat(violated.anomaly()).isEqualTo(Verdict.Anomaly.DEADLOCK));
    }

    private int drainStubbornly(int first, int second) throws SQLException {
        return Jdbc.inTransaction(database.dataSource(), connection -> {
            Jdbc.update(connection, "UPDATE wallet SET balance = 0 WHERE id = ?", first);
            try {
                Jdbc.update(connection, "UPDATE wallet SET balance = 0 WHERE id = ?", second);
            } catch (SQLException e) {
                return Jdbc.update(connection, "UPDATE wallet SET balance = 0 WHERE id = ?", second);
            }
            return 1;
        });
    }

    @Test
    void savepointsAndBatchesAreSteps() {
        Report report = race().actor("A", this::savepointAndBatch)
                .actor("B", () -> wallets.chargeLocked(1, 1))
                .invariant("something to look at", "SELECT false")
                .explore();

        assertThat(report.verdict())
                .isInstanceOfSatisfying(
                        Verdict.Violated.class,
                        violated -> assertThat(violated.execution().inOrder())
                                .filteredOn(step -> step.step().startsWith("A"))
                                .extracting(step -> step.step() + " " + step.sql() + " " + step.rows())
                                .containsExactly(
                                        "A1 INSERT INTO entry (text) VALUES ('a') [[1 row]]",
                                        "A2 INSERT INTO entry (text) VALUES ('b') [[1 row]]",
                                        "A3 SAVEPOINT []",
                                        "A4 DELETE FROM entry [[2 rows]]",
                                        "A5 ROLLBACK TO SAVEPOINT []",
                                        "A6 COMMIT []"));
    }

    private void savepointAndBatch() throws SQLException {
        int inserted = Jdbc.inTransaction(database.dataSource(), connection -> {
            int rows = 0;
            try (PreparedStatement statement = connection.prepareStatement("INSERT INTO entry (text) VALUES (?)")) {
                for (String text : List.of("a", "b")) {
                    statement.setString(1, text);
                    statement.addBatch();
                }
                for (int count : statement.executeBatch()) {
                    rows += count;
                }
            }
            var savepoint = connection.setSavepoint();
            Jdbc.update(connection, "DELETE FROM entry");
            connection.rollback(savepoint);
            return rows;
        });
        assertThat(inserted).isEqualTo(2);
    }

    @Test
    void abortedActorMayLeaveNoTrace() {
        Report report = race().actor("A", this::unfinished)
                .actor("B", () -> wallets.chargeLocked(1, 1))
                .explore();

        assertThat(report.verdict()).isInstanceOf(Verdict.Violated.class);
        assertThat(report.violating()).isEqualTo(report.schedules());
    }

    private int unfinished() throws SQLException {
        return Jdbc.autoCommit(database.dataSource(), connection -> {
            Jdbc.update(connection, "INSERT INTO entry (text) VALUES ('half')");
            return Jdbc.update(connection, "INSERT INTO wallet VALUES (1, 0)");
        });
    }

    @Test
    void returnedValuesMayBeLeftOut() {
        Race race = race().actor("A", () -> "saw " + balance()).actor("B", () -> "saw " + twoBalances());

        assertThatCode(race::prove).doesNotThrowAnyException();
        Race torn = race().actor("A", () -> wallets.chargeLocked(1, 80)).actor("B", this::twoBalances);
        assertThat(torn.explore().verdict()).isInstanceOf(Verdict.Violated.class);
        assertThat(torn.observingDataOnly().explore().verdict()).isEqualTo(new Verdict.Proved());
    }

    private int balance() throws SQLException {
        return Jdbc.autoCommit(
                database.dataSource(), connection -> Jdbc.number(connection, "SELECT balance FROM wallet"));
    }

    private String twoBalances() throws SQLException {
        return balance() + " and " + balance();
    }

    @Test
    void columnsThatDifferByNatureCanBeIgnored() {
        database.execute("CREATE TABLE job (id uuid DEFAULT gen_random_uuid(), text text)");
        Race race = race().actor("A", () -> job("a")).actor("B", () -> job("b"));

        assertThat(race.explore().verdict())
                .isInstanceOfSatisfying(
                        Verdict.Undecided.class,
                        undecided -> assertThat(undecided.reasons())
                                .singleElement()
                                .asString()
                                .contains("do not do the same every time"));
        assertThat(race.ignoring("job.id").explore().verdict()).isEqualTo(new Verdict.Proved());
    }

    private int job(String text) throws SQLException {
        return Jdbc.autoCommit(
                database.dataSource(),
                connection -> Jdbc.update(connection, "INSERT INTO job (text) VALUES (?)", text));
    }

    @Test
    void raceInsideARaceIsRefused() {
        Report report = race().actor("A", () -> wallets.chargeLocked(1, 80))
                .actor("B", () -> {
                    wallets.chargeLocked(1, 10);
                    return lockedCharges().explore();
                })
                .explore();

        assertThat(report.outcomes())
                .isNotEmpty()
                .allSatisfy(outcome -> assertThat(outcome.outcome())
                        .contains("IllegalStateException: another race is running on this database"));
    }

    @Test
    void wrongRacesAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> RaceDatabase.over(database.dataSource(), "no; schema"));
        assertThatIllegalStateException().isThrownBy(race().actor("A", () -> 1)::prove);
        assertThatIllegalArgumentException().isThrownBy(() -> race().actor("A1", () -> 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> race().actor("A", () -> 1).actor("A", () -> 2));
        assertThatIllegalArgumentException().isThrownBy(() -> race().ignoring("created_at"));
        assertThatExceptionOfType(RaceException.class)
                .isThrownBy(lockedCharges().ignoring("wallet.created_at")::prove)
                .withMessageContaining("wallet.created_at");
        assertThatExceptionOfType(RaceException.class)
                .isThrownBy(lockedCharges().given("INSERT INTO nowhere VALUES (1)")::prove)
                .withMessageContaining("nowhere");
    }
}
