package dev.rowlock.prover;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.engine.Verdict;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.PgStatement;

/** Whatever keeps the prover from having seen everything is told, and never proved. */
class UndecidedRaceTest {
    private static final Duration SOON = Duration.ofMillis(300);

    private RaceDatabase database;
    private Wallets wallets;
    private String url;

    @BeforeEach
    void open() throws SQLException {
        database = RaceDatabase.throwAway().execute(Wallets.TABLE, "CREATE TABLE entry (text text NOT NULL)");
        wallets = new Wallets(database.dataSource());
        try (Connection connection = database.dataSource().getConnection()) {
            url = connection.getMetaData().getURL();
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Race race() {
        return Race.on(database)
                .given("INSERT INTO wallet VALUES (1, 100)")
                .actor("A", () -> wallets.chargeLocked(1, 80));
    }

    private static void assertUndecided(Race race, String... reasons) {
        assertThat(race.explore().verdict())
                .isInstanceOfSatisfying(
                        Verdict.Undecided.class,
                        undecided -> assertThat(undecided.reasons())
                                .singleElement()
                                .asString()
                                .contains(reasons));
    }

    private Connection outside() throws SQLException {
        return DriverManager.getConnection(url, "postgres", null);
    }

    @Test
    void actorWithoutAnyStatementIsToldWhichDataSourceToUse() {
        assertUndecided(race().actor("B", () -> 1), "actor B sent nothing", "RaceDatabase.dataSource()");
    }

    @Test
    void connectionThatStaysOpenOutsideIsFound() throws SQLException {
        try (Connection outside = outside()) {
            assertUndecided(
                    race().actor("B", () -> {
                        Jdbc.update(outside, "INSERT INTO entry VALUES ('outside')");
                        return wallets.chargeLocked(1, 80);
                    }),
                    "a connection outside control was used",
                    "INSERT INTO entry");
        }
    }

    @Test
    void connectionThatComesAndGoesOutsideIsFound() {
        assertUndecided(
                race().actor("B", () -> {
                    int pid;
                    try (Connection outside = outside()) {
                        Jdbc.update(outside, "INSERT INTO entry VALUES ('outside')");
                        pid = outside.unwrap(PGConnection.class).getBackendPID();
                    }
                    awaitGone(pid);
                    return wallets.chargeLocked(1, 80);
                }),
                "a connection outside control was used",
                "more connections than the race's data source opened");
    }

    /** A session ends a while after its connection is closed. Asked from another database, which is no part of the race. */
    private void awaitGone(int pid) throws SQLException {
        String other = url.replaceFirst("/[^/?]+(\\?|$)", "/postgres$1");
        try (Connection elsewhere = DriverManager.getConnection(other, "postgres", null);
                Statement statement = elsewhere.createStatement()) {
            statement.execute("""
                    DO $$
                    BEGIN
                      FOR i IN 1 .. 4000 LOOP
                        PERFORM pg_stat_clear_snapshot();
                        EXIT WHEN NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = %d);
                        PERFORM pg_sleep(0.005);
                      END LOOP;
                    END $$""".formatted(pid));
        }
    }

    @Test
    void threadOfAnActorIsNoActor() {
        assertUndecided(
                race().actor("B", () -> {
                    int inserted = CompletableFuture.supplyAsync(this::insert).get();
                    return inserted + wallets.chargeLocked(1, 80);
                }),
                "a connection outside control was used",
                "INSERT INTO entry");
    }

    private int insert() {
        try (Connection connection = database.dataSource().getConnection()) {
            return Jdbc.update(connection, "INSERT INTO entry VALUES ('aside')");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void driverBehindAConnectionIsOutsideControl() {
        assertUndecided(
                race().actor("B", () -> {
                    try (Connection connection = database.dataSource().getConnection()) {
                        connection.unwrap(PGConnection.class).getNotifications();
                    }
                    return wallets.chargeLocked(1, 80);
                }),
                "a connection outside control was used",
                "PGConnection");
    }

    @Test
    void driverBehindAStatementIsOutsideControl() {
        assertUndecided(
                race().actor("B", () -> {
                    try (Connection connection = database.dataSource().getConnection();
                            Statement statement = connection.createStatement()) {
                        statement.unwrap(PgStatement.class).executeQuery("SELECT balance FROM wallet");
                    }
                    return wallets.chargeLocked(1, 80);
                }),
                "a connection outside control was used",
                "PgStatement");
    }

    @Test
    void jvmLockIsToldWithItsHolder() {
        Object lock = new Object();
        Race race = Race.on(database)
                .given("INSERT INTO wallet VALUES (1, 100)")
                .actor("A", () -> chargeUnder(lock))
                .actor("B", () -> chargeUnder(lock))
                .blockedAfter(SOON);

        assertUndecided(race, "waits for no other actor", "in the JVM", "for a lock that actor-", "chargeUnder");
    }

    private int chargeUnder(Object lock) throws SQLException {
        synchronized (lock) {
            return wallets.chargeUnlocked(1, 80);
        }
    }

    @Test
    void emptyPoolIsToldAsWhatItIs() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            Wallets pooled = new Wallets(pool);
            Race race = Race.on(database)
                    .given("INSERT INTO wallet VALUES (1, 100)")
                    .actor("A", () -> pooled.chargeLocked(1, 80))
                    .actor("B", () -> pooled.chargeLocked(1, 80))
                    .blockedAfter(SOON);

            assertUndecided(race, "waits for no other actor", "in the JVM", "HikariPool.getConnection");
        }
    }

    @Test
    void actorThatWaitsForAnotherOnesThreadIsTold() {
        CountDownLatch never = new CountDownLatch(1);
        Race race = race().actor("B", () -> {
                    if (!never.await(2, TimeUnit.SECONDS)) {
                        throw new IllegalStateException("nobody came");
                    }
                    return wallets.chargeLocked(1, 80);
                })
                .blockedAfter(SOON);

        assertUndecided(race, "of B took longer than 300 ms", "in the JVM", "UndecidedRaceTest");
    }

    @Test
    void actorThatWaitsForItselfIsTold() {
        Race race = race().actor(
                        "B",
                        () -> Jdbc.inTransaction(database.dataSource(), first -> {
                            Jdbc.update(first, "UPDATE wallet SET balance = 1");
                            return Jdbc.inTransaction(
                                    database.dataSource(),
                                    second -> Jdbc.update(second, "UPDATE wallet SET balance = 2"));
                        }))
                .blockedAfter(SOON);

        assertUndecided(race, "of B took longer", "it waits for itself");
    }

    @Test
    void longStatementIsToldAsOne() {
        Race race = race().actor(
                        "B",
                        () -> Jdbc.autoCommit(
                                database.dataSource(),
                                connection -> Jdbc.number(connection, "SELECT 1 FROM pg_sleep(2)")))
                .blockedAfter(SOON);

        assertUndecided(race, "step B1 of B took longer", "still running in the database");
    }

    @Test
    void actorThatDoesSomethingElseEachTimeIsTold() {
        AtomicInteger calls = new AtomicInteger();
        Race race = race().actor(
                        "B",
                        () -> Jdbc.autoCommit(database.dataSource(), connection -> {
                            String sql = "UPDATE wallet SET balance = balance "
                                    + (calls.incrementAndGet() % 2 == 0 ? "- 0" : "+ 0");
                            return Jdbc.update(connection, sql);
                        }));

        assertUndecided(race, "an actor does not do the same every time", "B");
    }

    @Test
    void actorWhoseNumberOfStepsDiffersIsTold() {
        AtomicInteger calls = new AtomicInteger();
        Race race = race().actor(
                        "B",
                        () -> Jdbc.autoCommit(database.dataSource(), connection -> {
                            int updates = calls.incrementAndGet() % 2 + 1;
                            for (int i = 0; i < updates; i++) {
                                Jdbc.update(connection, "UPDATE wallet SET balance = balance");
                            }
                            return 0;
                        }));

        assertUndecided(race, "an actor does not do the same every time", "B");
    }

    @Test
    void transactionThatIsLeftOpenIsTold() throws SQLException {
        try (Connection leaked = database.dataSource().getConnection()) {
            leaked.setAutoCommit(false);
            Race race = race().actor("B", () -> Jdbc.update(leaked, "INSERT INTO entry VALUES ('left')"));

            assertUndecided(race, "actor B ends and leaves a transaction open");
        }
    }

    @Test
    void usedUpBudgetIsTold() {
        Race race = race().actor("B", () -> wallets.chargeLocked(1, 80)).maxSchedules(2);

        assertUndecided(race, "the budget of 2 schedules is used up");
    }

    /** What went wrong in an order that was seen went wrong, whatever was not seen. */
    @Test
    void violationStandsWhateverElseHappened() {
        Report report = Race.on(database)
                .given("INSERT INTO wallet VALUES (1, 100)")
                .actor("A", () -> wallets.chargeUnlocked(1, 80))
                .actor("B", () -> {
                    try (Connection outside = outside()) {
                        Jdbc.number(outside, "SELECT 1");
                    }
                    return wallets.chargeUnlocked(1, 80);
                })
                .explore();

        assertThat(report.verdict()).isInstanceOf(Verdict.Violated.class);
    }
}
