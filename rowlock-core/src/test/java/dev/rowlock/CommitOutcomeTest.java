package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.rowlock.RowlockListener.CommitChecked;
import dev.rowlock.RowlockListener.CommitOutcome;
import dev.rowlock.TcpProxy.AtCommit;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The connection breaks during COMMIT: the caller is told what really happened, and the function is not run again. */
class CommitOutcomeTest {
    private static final Table WALLETS = Table.of("wallet", "id");

    private TestDatabase database;
    private TcpProxy proxy;
    private Rowlock rowlock;
    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicInteger afterCommits = new AtomicInteger();
    private final List<CommitOutcome> outcomes = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        database = TestDatabase.create(
                "CREATE TABLE wallet (id bigint PRIMARY KEY, balance bigint NOT NULL)",
                "INSERT INTO wallet VALUES (1, 100)");
        proxy = new TcpProxy(TestDatabase.port());
        rowlock = Rowlock.builder(proxy.inFrontOf(database))
                .commitCheckLimit(Duration.ofSeconds(5))
                .listener(new RowlockListener() {
                    @Override
                    public void onCommitChecked(CommitChecked checked) {
                        outcomes.add(checked.outcome());
                    }
                })
                .build();
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        database.close();
    }

    @Test
    void ownStatementsBringBackTheIdToAskFor() {
        proxy.atCommit(AtCommit.CUT_AFTER);

        assertThat(rowlock.<Integer, RuntimeException>call(
                        tx -> tx.execute("UPDATE wallet SET balance = balance - ?", 80L)))
                .isEqualTo(1);

        assertThat(outcomes).containsExactly(CommitOutcome.COMMITTED);
        assertThat(database.number("SELECT balance FROM wallet")).isEqualTo(20);
    }

    @Test
    void commitThatWasExecutedCountsAsCommittedAlthoughItsAnswerIsLost() {
        proxy.atCommit(AtCommit.CUT_AFTER);

        assertThat(charge()).isEqualTo(20);

        assertThat(outcomes).containsExactly(CommitOutcome.COMMITTED);
        assertThat(database.number("SELECT balance FROM wallet")).isEqualTo(20);
        assertThat(runs).hasValue(1);
        assertThat(afterCommits).hasValue(1);
    }

    @Test
    void commitThatNeverReachedTheServerIsToldAsRolledBack() {
        proxy.atCommit(AtCommit.CUT_BEFORE);

        ConnectionLostException error = catchThrowableOfType(ConnectionLostException.class, this::charge);

        assertThat(error).hasMessageContaining("the server says that the transaction was rolled back");
        assertThat(outcomes).containsExactly(CommitOutcome.ROLLED_BACK);
        assertThat(database.number("SELECT balance FROM wallet")).isEqualTo(100);
        assertThat(runs).hasValue(1);
        assertThat(afterCommits).hasValue(0);
    }

    /** The old session does not know that its client is gone and would hold its locks for long: it is ended, then asked about. */
    @Test
    void sessionThatHangsOnAfterTheCutIsEndedSoThatTheAnswerIsFinal() {
        proxy.atCommit(AtCommit.CUT_CLIENT_ONLY);

        ConnectionLostException error = catchThrowableOfType(ConnectionLostException.class, this::charge);

        assertThat(error).hasMessageContaining("rolled back");
        assertThat(outcomes).containsExactly(CommitOutcome.ROLLED_BACK);
        assertThat(database.number("SELECT balance FROM wallet")).isEqualTo(100);
        assertThat(
                        database.number(
                                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL"))
                .isZero();
    }

    @Test
    void outcomeIsUnknownOnlyWhenTheServerCannotBeAsked() {
        rowlock = Rowlock.builder(proxy.inFrontOf(database))
                .commitCheckLimit(Duration.ofMillis(300))
                .build();
        proxy.atCommit(AtCommit.SERVER_GONE);

        CommitUnknownException error = catchThrowableOfType(CommitUnknownException.class, this::charge);

        assertThat(error).hasMessageContaining("look at the data before trying again");
        String id = error.transactionId().orElseThrow();
        assertThat(database.number("SELECT CASE pg_xact_status('" + id + "') WHEN 'committed' THEN 1 ELSE 0 END"))
                .as("the id leads to the truth")
                .isEqualTo(1);
        assertThat(runs).hasValue(1);
        assertThat(afterCommits).hasValue(0);
    }

    @Test
    void workOfTheConnectionAloneCanBeAskedForIfItsTransactionIsIdentified() throws SQLException {
        proxy.atCommit(AtCommit.CUT_AFTER);

        rowlock.<SQLException>run(tx -> {
            try (Statement statement = tx.connection().createStatement()) {
                statement.executeUpdate("UPDATE wallet SET balance = 1");
            }
            tx.identify();
        });

        assertThat(database.number("SELECT balance FROM wallet")).isEqualTo(1);
    }

    @Test
    void outcomeIsUnknownWithoutAStatementThatBroughtBackTheId() {
        proxy.atCommit(AtCommit.CUT_AFTER);

        CommitUnknownException error = catchThrowableOfType(
                CommitUnknownException.class,
                () -> rowlock.<SQLException>run(tx -> {
                    try (Statement statement = tx.connection().createStatement()) {
                        statement.execute("UPDATE wallet SET balance = 20");
                    }
                }));

        assertThat(error).hasMessageContaining("no statement of Rowlock had brought back the transaction's id");
        assertThat(error.transactionId()).isEmpty();
    }

    private long charge() {
        return rowlock.withLock(WALLETS, 1, (tx, wallet) -> {
            runs.incrementAndGet();
            tx.afterCommit(afterCommits::incrementAndGet);
            return tx.update(WALLETS, 1).add("balance", -80).apply().orThrow().getLong("balance");
        });
    }
}
