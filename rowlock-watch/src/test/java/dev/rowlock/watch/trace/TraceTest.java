package dev.rowlock.watch.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.watch.trace.SqlShape.Verb;
import dev.rowlock.watch.trace.TracedTransaction.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import shop.Wallets;

/** What was sent stands in the trace, with all there is to know of it. */
class TraceTest {
    /** A millisecond passes whenever somebody asks. */
    private final AtomicLong clock = new AtomicLong();

    private final Trace trace = traceBuilder().build();
    private final Wallets wallets = new Wallets(trace.over(TestServer.dataSource()));

    private TraceBuilder traceBuilder() {
        return Trace.builder().clock(() -> clock.addAndGet(1_000_000));
    }

    @BeforeEach
    void prepare() throws SQLException {
        TestServer.prepare();
    }

    private TracedStatement only() {
        return trace.statements()
                .reduce((one, other) -> {
                    throw new AssertionError(one + " and " + other);
                })
                .orElseThrow();
    }

    @Test
    void statementComesWithAllThatIsKnownOfIt() throws SQLException {
        wallets.charge(1, 30);

        List<TracedStatement> statements = trace.statements().toList();
        assertThat(statements)
                .extracting(TracedStatement::sql)
                .containsExactly(
                        "SELECT balance FROM wallet WHERE id = ? FOR UPDATE",
                        "UPDATE wallet SET balance = ? WHERE id = ?");
        TracedStatement select = statements.get(0);
        assertThat(select.session().transaction()).isEqualTo(1);
        assertThat(select.session().isolation()).isEqualTo(Isolation.READ_COMMITTED);
        assertThat(select.rowsRead()).isOne();
        assertThat(select.times().databaseNanos()).isEqualTo(1_000_000);
        assertThat(select.times().sincePreviousNanos()).isEmpty();
        assertThat(select.caller().orElseThrow().toString())
                .matches("shop\\.Wallets\\.number\\(Wallets\\.java:\\d+\\)");
        assertThat(select.parts()).singleElement().satisfies(part -> {
            assertThat(part.shape().locks()).hasToString("[Locked[clause=FOR UPDATE, tables=[wallet], inside=false]]");
            assertThat(part.shape().tables()).containsExactly("wallet");
            assertThat(part.keys("wallet")).hasToString("{id=[1]}");
            assertThat(part.text()).isEqualTo("SELECT balance FROM wallet WHERE id = 1 FOR UPDATE");
        });
        TracedStatement update = statements.get(1);
        assertThat(update.text()).isEqualTo("UPDATE wallet SET balance = 70 WHERE id = 1");
        assertThat(update.rowsChanged()).isOne();
        assertThat(update.times().sincePreviousNanos()).hasValue(1_000_000);
        assertThat(update.session()).isEqualTo(select.session());
    }

    @Test
    void transactionsBeginAndEnd() throws SQLException {
        wallets.charge(1, 30);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> wallets.inTransaction(connection -> {
                    Wallets.number(connection, "SELECT 1");
                    throw new IllegalStateException("no");
                }));

        List<TracedTransaction> ends = trace.transactions().toList();
        assertThat(ends)
                .extracting(TracedTransaction::event)
                .containsExactly(Event.BEGUN, Event.COMMITTED, Event.BEGUN, Event.ROLLED_BACK);
        TracedTransaction commit = ends.get(1);
        assertThat(commit.statements()).isEqualTo(2);
        assertThat(commit.outsideNanos()).isPositive();
        assertThat(commit.nanos()).isGreaterThan(commit.outsideNanos());
        assertThat(commit.sincePreviousNanos()).isEqualTo(1_000_000);
        assertThat(ends.get(3).session().transaction()).isEqualTo(2);
    }

    @Test
    void autoCommittedStatementIsInNoTransaction() throws SQLException {
        wallets.autoCommit(connection -> Wallets.update(connection, "UPDATE wallet SET balance = 1 WHERE id = 1"));

        assertThat(only().session().autoCommitted()).isTrue();
        assertThat(trace.transactions()).isEmpty();
    }

    @Test
    void transactionsOfSqlCountToo() throws SQLException {
        wallets.autoCommit(connection -> {
            Wallets.execute(connection, "BEGIN ISOLATION LEVEL SERIALIZABLE", "SELECT 1", "ROLLBACK");
            Wallets.execute(connection, "SELECT 2");
        });

        assertThat(trace.records().map(record -> record.session().transaction()))
                .containsExactly(1L, 1L, 1L, 0L);
        assertThat(trace.transactions().map(TracedTransaction::event)).containsExactly(Event.BEGUN, Event.ROLLED_BACK);
        assertThat(trace.statements().findFirst().orElseThrow().session().isolation())
                .isEqualTo(Isolation.SERIALIZABLE);
    }

    @Test
    void textThatBeginsATransactionIsNotLost() throws SQLException {
        wallets.autoCommit(connection -> {
            Wallets.execute(connection, "BEGIN; UPDATE wallet SET balance = 1 WHERE id = 1", "SELECT 1; COMMIT");
            Wallets.execute(connection, "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            Wallets.execute(connection, "BEGIN", "SELECT 2", "COMMIT");
        });

        assertThat(trace.statements().map(TracedStatement::sql))
                .containsSubsequence(
                        "BEGIN; UPDATE wallet SET balance = 1 WHERE id = 1", "SELECT 1; COMMIT", "SELECT 2");
        assertThat(trace.transactions()
                        .map(one -> one.event() + " " + one.session().isolation()))
                .containsExactly(
                        "BEGUN READ COMMITTED",
                        "COMMITTED READ COMMITTED",
                        "BEGUN REPEATABLE READ",
                        "COMMITTED REPEATABLE READ");
    }

    @Test
    void isolationIsFollowed() throws SQLException {
        wallets.inTransaction(
                Connection.TRANSACTION_REPEATABLE_READ, connection -> Wallets.number(connection, "SELECT 1"));

        assertThat(only().session().isolation()).isEqualTo(Isolation.REPEATABLE_READ);
    }

    @Test
    void connectionThatIsClosedInATransactionRollsBack() throws SQLException {
        try (Connection connection = trace.over(TestServer.dataSource()).getConnection()) {
            connection.setAutoCommit(false);
            Wallets.update(connection, "UPDATE wallet SET balance = 0 WHERE id = 1");
        }

        assertThat(trace.transactions().map(TracedTransaction::event)).containsExactly(Event.BEGUN, Event.ROLLED_BACK);
    }

    @Test
    void errorIsKeptWithItsState() {
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> wallets.autoCommit(connection -> Wallets.number(connection, "SELECT 1 / 0")));

        assertThat(only().failure().orElseThrow().sqlState()).isEqualTo("22012");
    }

    @Test
    void whatTheParserDoesNotKnowIsMarkedAndKept() throws SQLException {
        wallets.inTransaction(connection -> Wallets.number(
                connection, "SELECT id FROM ONLY (wallet) WHERE '{\"a\":1}'::jsonb ?? 'a' AND id = ? FOR UPDATE", 3));

        assertThat(only().parsed()).isFalse();
        assertThat(only().parts().get(0).shape().verb()).isEqualTo(Verb.SELECT);
        assertThat(only().parts().get(0).shape().locks()).hasSize(1);
    }

    @Test
    void statementsOfATextAndOfABatchAreTold() throws SQLException {
        wallets.autoCommit(connection -> {
            Wallets.execute(connection, "UPDATE wallet SET balance = 1 WHERE id = 1; DELETE FROM entry");
            try (PreparedStatement batch = connection.prepareStatement("UPDATE seat SET taken = true WHERE id = ?")) {
                for (int id = 3; id > 0; id--) {
                    batch.setInt(1, id);
                    batch.addBatch();
                }
                batch.executeBatch();
            }
        });

        List<TracedStatement> sent = trace.statements().toList();
        assertThat(sent.get(0).parts())
                .extracting(part -> part.shape().target().orElseThrow())
                .containsExactly("wallet", "entry");
        assertThat(sent.get(1).parts())
                .extracting(part -> part.keys("seat").toString())
                .containsExactly("{id=[3]}", "{id=[2]}", "{id=[1]}");
        assertThat(sent.get(1).changed()).containsExactly(1L, 1L, 1L);
    }

    @Test
    void rowsAreCountedUntilTheProgramStopsReading() throws SQLException {
        wallets.autoCommit(connection -> {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT id FROM seat")) {
                for (int i = 0; i < 5; i++) {
                    rows.next();
                }
            }
        });

        assertThat(only().rowsRead()).isEqualTo(5);
    }

    @Test
    void memoryIsBoundedAndSaysSo() throws SQLException {
        Trace small = Trace.builder().capacity(2).build();
        new Wallets(small.over(TestServer.dataSource())).autoCommit(connection -> {
            for (int i = 1; i <= 5; i++) {
                Wallets.number(connection, "SELECT ?", i);
            }
        });

        assertThat(small.statements().map(TracedStatement::text)).containsExactly("SELECT 4", "SELECT 5");
        assertThat(small.overflow()).isEqualTo(3);
    }

    @Test
    void hiddenValuesAreNowhereButCanBeCompared() throws SQLException {
        Trace hiding = Trace.builder().hidingValues().build();
        new Wallets(hiding.over(TestServer.dataSource())).autoCommit(connection -> {
            Wallets.number(connection, "SELECT id FROM entry, wallet WHERE text = ?", "secret");
            Wallets.number(connection, "SELECT id FROM wallet WHERE id = ?", 4711);
            Wallets.number(connection, "SELECT balance FROM wallet WHERE id = ?", 4711);
        });

        List<TracedStatement> sent = hiding.statements().toList();
        assertThat(sent.toString()).doesNotContain("secret", "4711");
        assertThat(sent.get(1).parts().get(0).keys("wallet"))
                .isEqualTo(sent.get(2).parts().get(0).keys("wallet"));
    }

    @Test
    void listenerThatFailsDoesNotReachTheProgram() throws SQLException {
        List<TraceRecord> told = new ArrayList<>();
        Trace listening = Trace.builder()
                .listener(record -> {
                    throw new IllegalStateException("a listener that fails, on purpose");
                })
                .listener(told::add)
                .build();
        new Wallets(listening.over(TestServer.dataSource()))
                .autoCommit(connection -> Wallets.number(connection, "SELECT 1"));

        assertThat(told).hasSize(1);
        assertThat(listening.failures()).isOne();
    }

    @Test
    void poolInFrontKeepsTheNumbersOfConnections() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(trace.over(TestServer.dataSource()));
        config.setMaximumPoolSize(1);
        config.setAutoCommit(false);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            Wallets pooled = new Wallets(pool);
            pooled.charge(1, 10);
            pooled.charge(1, 10);
        }

        assertThat(trace.statements()
                        .map(statement -> statement.session().connection())
                        .distinct())
                .hasSize(1);
        assertThat(trace.transactions().map(TracedTransaction::event))
                .containsExactly(Event.BEGUN, Event.COMMITTED, Event.BEGUN, Event.COMMITTED);
    }

    @Test
    void poolBehindIsTracedAsWell() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(TestServer.dataSource());
        config.setMaximumPoolSize(1);
        config.setAutoCommit(false);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            Wallets pooled = new Wallets(trace.over(pool));
            pooled.charge(1, 10);
            pooled.charge(1, 10);
        }

        assertThat(trace.transactions().map(TracedTransaction::event))
                .containsExactly(Event.BEGUN, Event.COMMITTED, Event.BEGUN, Event.COMMITTED);
    }

    @Test
    void logSaysInALineWhatHappened() throws SQLException, IOException {
        TraceLog log = new TraceLog(false);
        wallets.charge(1, 30);
        wallets.autoCommit(connection -> Wallets.number(connection, "SELECT balance FROM wallet WHERE id = ?", 1));

        assertThat(trace.records().map(log::line).map(line -> line.replaceAll("java:\\d+", "java:N")))
                .containsExactly(
                        "c1 t1 begin  READ COMMITTED",
                        "c1 t1 1.00 ms  1 read  SELECT balance FROM wallet WHERE id = ? FOR UPDATE  at shop.Wallets.number(Wallets.java:N)",
                        "c1 t1 1.00 ms  1 changed  UPDATE wallet SET balance = ? WHERE id = ?  at shop.Wallets.update(Wallets.java:N)",
                        "c1 t1 commit  2 statements in 5.00 ms, 2.00 ms of it outside of the database",
                        "c2 auto 1.00 ms  1 read  SELECT balance FROM wallet WHERE id = ?  at shop.Wallets.number(Wallets.java:N)");
        String page = Files.readString(Path.of("../docs/watch.md")).replace("\r\n", "\n");
        String lines = trace.records().map(log::line).collect(Collectors.joining("\n"));
        assertThat(page.replaceAll("java:\\d+", "java:N")).contains(lines.replaceAll("java:\\d+", "java:N"));
        assertThat(trace.records().map(new TraceLog(true)::line))
                .anyMatch(line -> line.contains("SET balance = 70 WHERE id = 1"));
    }

    @Test
    void helpersOfTheProgramCanBePassedOver() throws SQLException {
        Trace skipping = Trace.builder()
                .skip("shop.")
                .keep("dev.rowlock.watch.trace.TraceTest")
                .build();
        new Wallets(skipping.over(TestServer.dataSource())).charge(1, 1);

        assertThat(skipping.statements()
                        .map(statement -> statement.caller().orElseThrow().method())
                        .distinct())
                .containsExactly("helpersOfTheProgramCanBePassedOver");
    }
}
