package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long is waited for a lock or a statement, and that the limits are in force where they should be and nowhere else. */
class LimitsTest extends DatabaseTest {
    private static final Table NOTES = Table.of("note", "id");
    private static final Lock OWN_LIMIT = Lock.forNoKeyUpdate().waitAtMost(Duration.ofMillis(1234));

    LimitsTest() {
        super("CREATE TABLE note (id bigint PRIMARY KEY)", "INSERT INTO note VALUES (1)");
    }

    private Rowlock.Builder limits() {
        return Rowlock.builder(database.pool());
    }

    @Test
    void waitForAHeldRowEndsAtTheLockTimeout() throws Exception {
        try (Session holder = Session.open(database)) {
            holder.run("SELECT * FROM note FOR UPDATE");
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(() ->
                            limits().lockTimeout(Duration.ofMillis(50)).build().run(tx -> tx.lock(NOTES, 1)))
                    .satisfies(e -> {
                        assertThat(e.noWait()).isFalse();
                        assertThat(e.table()).contains(NOTES);
                        assertThat(e.sqlState()).contains("55P03");
                    });
        }
    }

    @Test
    void guardedWriteOfAHeldRowEndsAtTheLockTimeout() throws Exception {
        Table counters = Table.of("counter", "id");
        database.sql("CREATE TABLE counter (id bigint PRIMARY KEY, n int)", "INSERT INTO counter VALUES (1, 0)");
        try (Session holder = Session.open(database)) {
            holder.run("SELECT * FROM counter FOR UPDATE");
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(() -> limits().lockTimeout(Duration.ofMillis(50))
                            .build()
                            .run(tx -> must(tx.update(counters, 1).add("n", 1).apply())));
        }
    }

    /** The broken twin: without a limit the session waits until the holder lets go. */
    @Test
    void withoutALimitTheSessionWaitsAsLongAsTheHolderHolds() throws Exception {
        try (Session holder = Session.open(database);
                Session waiting = Session.open(database)) {
            holder.run("SELECT * FROM note FOR UPDATE");
            waiting.run("SET lock_timeout = 0");
            Session.Step waits = waiting.begin("SELECT id FROM note FOR UPDATE");
            holder.commit();
            assertThat(waits.result()).isEqualTo(1);
        }
    }

    @Test
    void waitAtMostIsInForceForItsRequestAndGoneAfterIt() throws SQLException {
        limits().build().run(tx -> {
            assertThat(tx.lockWhere(NOTES, "current_setting('lock_timeout') = '1234ms'", List.of(), OWN_LIMIT))
                    .hasSize(1);
            assertThat(setting(tx, "lock_timeout")).isEqualTo("2s");
        });
    }

    @Test
    void waitAtMostEndsTheWait() throws Exception {
        try (Session holder = Session.open(database)) {
            holder.run("SELECT * FROM note FOR UPDATE");
            rowlock.run(tx -> {
                Savepoint before = tx.connection().setSavepoint();
                assertThatExceptionOfType(LockTimeoutException.class)
                        .isThrownBy(() -> tx.lock(NOTES, 1, Lock.forUpdate().waitAtMost(Duration.ofMillis(50))));
                tx.connection().rollback(before);
                assertThat(setting(tx, "lock_timeout")).isEqualTo("10s");
            });
        }
    }

    @Test
    void waitAtMostMustFitIntoTheStatementTimeout() {
        rowlock.run(tx -> assertThatIllegalArgumentException()
                .isThrownBy(() -> tx.lock(NOTES, 1, Lock.forUpdate().waitAtMost(Duration.ofSeconds(16))))
                .withMessageContaining("statementTimeout (15000 ms)"));
    }

    @Test
    void statementEndsAtTheStatementTimeout() {
        Rowlock quick = limits().lockTimeout(Duration.ofMillis(50))
                .statementTimeout(Duration.ofMillis(50))
                .build();
        assertThatExceptionOfType(StatementTimeoutException.class)
                .isThrownBy(
                        () -> quick.run(tx -> tx.lockWhere(NOTES, "pg_sleep(20) IS NULL", List.of(), Lock.forShare())));
    }

    @Test
    void defaultLimitsAreOnAndStayOnTheConnection() throws SQLException {
        limits().build().run(tx -> {
            assertThat(setting(tx, "lock_timeout")).isEqualTo("2s");
            assertThat(setting(tx, "statement_timeout")).isEqualTo("15s");
            assertThat(setting(tx, "idle_in_transaction_session_timeout")).isEqualTo("30s");
        });
        assertThat(settingOfThePool("lock_timeout")).isEqualTo("2s");
    }

    @Test
    void twoInstancesOnOneConnectionEachHaveTheirOwnLimits() throws SQLException {
        try (TestDatabase small = TestDatabase.create(1)) {
            Rowlock one = Rowlock.builder(small.pool())
                    .lockTimeout(Duration.ofSeconds(3))
                    .build();
            Rowlock two = Rowlock.builder(small.pool())
                    .lockTimeout(Duration.ofSeconds(4))
                    .build();
            for (int round = 0; round < 2; round++) {
                one.run(tx -> assertThat(setting(tx, "lock_timeout")).isEqualTo("3s"));
                two.run(tx -> assertThat(setting(tx, "lock_timeout")).isEqualTo("4s"));
            }
        }
    }

    @Test
    void limitsPerTransactionAreGoneWithTheTransaction() throws SQLException {
        try (TestDatabase small =
                TestDatabase.create(1, "CREATE TABLE note (id bigint PRIMARY KEY)", "INSERT INTO note VALUES (1)")) {
            Rowlock.builder(small.pool()).limitsPerTransaction(true).build().run(tx -> {
                assertThat(tx.lockWhere(
                                NOTES, "current_setting('lock_timeout') = '2s'", List.of(), Lock.forNoKeyUpdate()))
                        .hasSize(1);
                tx.lock(NOTES, 1, OWN_LIMIT);
                assertThat(setting(tx, "lock_timeout")).isEqualTo("2s");
                assertThat(setting(tx, "idle_in_transaction_session_timeout")).isEqualTo("30s");
            });
            try (Connection connection = small.pool().getConnection()) {
                assertThat(setting(connection, "lock_timeout")).isEqualTo("0");
            }
        }
    }

    @Test
    void limitsOutOfBoundsAreRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits().lockTimeout(Duration.ZERO).build())
                .withMessageContaining("lockTimeout");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        limits().idleInTransactionTimeout(Duration.ofDays(2)).build())
                .withMessageContaining("idleInTransactionTimeout");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> limits().statementTimeout(Duration.ofSeconds(1)).build())
                .withMessageContaining("lockTimeout (2000 ms) is longer than statementTimeout (1000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Lock.forUpdate().waitAtMost(Duration.ofNanos(1)))
                .withMessageContaining("waitAtMost");
    }

    private static String setting(Tx tx, String name) throws SQLException {
        return setting(tx.connection(), name);
    }

    private String settingOfThePool(String name) throws SQLException {
        try (Connection connection = database.pool().getConnection()) {
            return setting(connection, name);
        }
    }

    private static String setting(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT current_setting('" + name + "')")) {
            result.next();
            return result.getString(1);
        }
    }
}
