package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Statements of the program's own, in a transaction and as one by themselves. */
class OneStatementTest extends DatabaseTest {
    private static final Table WALLETS = Table.of("wallet", "id");
    private static final Table PAIRS = Table.of("pair", "id");

    OneStatementTest() {
        super(
                "CREATE TABLE wallet (id bigint PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= 0))",
                "INSERT INTO wallet VALUES (1, 100), (2, 100)",
                "CREATE TABLE pair (id bigint, n bigint)",
                "INSERT INTO pair VALUES (1, 1), (1, 1)");
    }

    private Update charge(Rowlock by, long amount) {
        return by.update(WALLETS, 1L).add("balance", -amount).onlyIf("balance >= ?", amount);
    }

    private long balance() {
        return database.number("SELECT balance FROM wallet WHERE id = 1");
    }

    @Test
    void rowsComeBackTyped() {
        UUID id = UUID.randomUUID();
        Instant at = Instant.parse("2026-01-02T03:04:05Z");

        Row row = rowlock.query(
                        "SELECT ? AS id, ? AS at, ? AS n, CAST(? AS text) AS nothing, '?' AS mark -- ends here",
                        id,
                        at,
                        7L,
                        null)
                .get(0);

        assertThat(row.getUuid("id")).isEqualTo(id);
        assertThat(row.getInstant("at")).isEqualTo(at);
        assertThat(row.getLong("n")).isEqualTo(7);
        assertThat(row.isNull("nothing")).isTrue();
        assertThat(row.values()).hasSize(5);
    }

    @Test
    void transactionIdStaysOutOfTheRows() {
        List<Row> rows = rowlock.call(tx -> tx.query("UPDATE wallet SET balance = 5 WHERE id = 1 RETURNING balance"));

        assertThat(rows)
                .singleElement()
                .satisfies(row -> assertThat(row.values().keySet()).containsExactly("balance"));
    }

    @Test
    void arraysAreValues() {
        assertThat(rowlock.query(
                                "SELECT count(*) AS n FROM wallet WHERE id = ANY (?)", (Object) new Long[] {1L, 2L, 3L})
                        .get(0)
                        .getLong("n"))
                .isEqualTo(2);
        assertThatThrownBy(() -> rowlock.query("SELECT ?", (Object) new Thread[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("an array of Thread cannot be a value");
    }

    @Test
    void changedRowsAreCounted() {
        assertThat(rowlock.execute("UPDATE wallet SET balance = balance + ?", 1L))
                .isEqualTo(2);
        assertThat(rowlock.execute("DELETE FROM wallet WHERE id = ?", 9L)).isZero();
        assertThat(rowlock.<Integer, RuntimeException>call(tx -> tx.execute("UPDATE wallet SET balance = 1")))
                .isEqualTo(2);
    }

    @Test
    void wrongNumberOfValuesIsRefusedBeforeAnythingIsSent() {
        assertThatThrownBy(() -> rowlock.query("SELECT ?", 1, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("statement: \"SELECT ?\" has 1 parameter(s), but 2 value(s) were given");
    }

    @Test
    void failureNamesTheStatementAndUndoesTheTransaction() {
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    assertThat(tx.execute("UPDATE wallet SET balance = 7")).isEqualTo(2);
                    tx.query("SELECT 1 / 0");
                }))
                .isInstanceOf(DatabaseException.class)
                .hasMessageStartingWith("\"SELECT 1 / 0\" failed");
        assertThat(balance()).isEqualTo(100);
    }

    @Test
    void guardedUpdateIsCommittedWhenItReturns() {
        assertThat(charge(rowlock, 80).apply().orThrow().getLong("balance")).isEqualTo(20);
        assertThat(charge(rowlock, 80).apply()).isInstanceOf(Write.Refused.class);
        assertThat(rowlock.update(WALLETS, 9L).add("balance", 1).apply()).isInstanceOf(Write.Missing.class);
        assertThat(balance()).isEqualTo(20);
    }

    @Test
    void secondOfTwoWaitsAndIsJudgedOnWhatTheFirstLeft() {
        Threads.Both both = threads.secondWaits(
                database,
                inFirst -> rowlock.call(tx -> {
                    boolean applied = tx.update(WALLETS, 1L)
                            .add("balance", -80)
                            .onlyIf("balance >= ?", 80)
                            .apply()
                            .isApplied();
                    inFirst.run();
                    return applied;
                }),
                inSecond -> {
                    inSecond.run();
                    return charge(rowlock, 80).apply().isApplied();
                });

        assertThat(both).isEqualTo(new Threads.Both(true, false));
    }

    @Test
    void insideAUnitOfWorkItIsPartOfThat() {
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    assertThat(charge(rowlock, 80).apply().isApplied()).isTrue();
                    assertThat(rowlock.execute("UPDATE wallet SET balance = 1 WHERE id = 2"))
                            .isEqualTo(1);
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(balance()).isEqualTo(100);
    }

    @Test
    void anotherLevelAndLimitsPerTransactionAreInForce() {
        Rowlock perTransaction =
                Rowlock.builder(database.pool()).limitsPerTransaction(true).build();

        assertThat(rowlock.withIsolation(Isolation.SERIALIZABLE)
                        .query("SHOW transaction_isolation")
                        .get(0)
                        .getString("transaction_isolation"))
                .isEqualTo("serializable");
        assertThat(perTransaction.query("SHOW lock_timeout").get(0).getString("lock_timeout"))
                .isEqualTo("2s");
        assertThat(charge(perTransaction, 80).apply().isApplied()).isTrue();
        assertThatThrownBy(() -> charge(rowlock.readOnly(), 10).apply()).isInstanceOf(DatabaseException.class);
        assertThat(balance()).isEqualTo(20);
    }

    /** A statement that has committed cannot be taken back, so here it is a transaction, which can. */
    @Test
    void keyThatIsNotUniqueChangesNothing() {
        assertThatThrownBy(() -> rowlock.update(PAIRS, 1L).add("n", 1).apply())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("changed 2 rows");
        assertThat(database.number("SELECT sum(n) FROM pair")).isEqualTo(2);
    }

    @Test
    void lostAnswerIsAnUnknownOutcome() {
        assertThat(catchThrowableOfType(
                        CommitUnknownException.class,
                        () -> rowlock.query("SELECT pg_terminate_backend(pg_backend_pid())")))
                .hasMessageContaining("commits by itself")
                .satisfies(unknown -> assertThat(unknown.transactionId()).isEmpty());
    }

    @Test
    void conflictIsTriedAgain() {
        assertThatThrownBy(
                        () -> rowlock.withMaxAttempts(3).query("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '40001'; END $$"))
                .isInstanceOfSatisfying(
                        RetriesExhaustedException.class,
                        e -> assertThat(e.attempts()).isEqualTo(3));
    }

    @Test
    void connectionGoesBackInTheModeInWhichItCame() {
        try (com.zaxxer.hikari.HikariDataSource manual = new com.zaxxer.hikari.HikariDataSource()) {
            manual.setDataSource(database.unpooled());
            manual.setAutoCommit(false);
            manual.setMaximumPoolSize(1);

            assertThat(charge(Rowlock.over(manual), 80).apply().isApplied()).isTrue();
            assertThat(balance()).isEqualTo(20);
            assertThat(Rowlock.over(manual)
                            .<Integer, RuntimeException>call(
                                    tx -> tx.execute("UPDATE wallet SET balance = 30 WHERE id = 1")))
                    .isEqualTo(1);
        }
        assertThat(balance()).isEqualTo(30);
    }
}
