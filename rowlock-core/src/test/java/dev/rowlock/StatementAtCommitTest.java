package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.TcpProxy.AtCommit;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A statement that is sent in one message with the COMMIT belongs to the transaction like any other. */
class StatementAtCommitTest {
    private TestDatabase database;
    private TcpProxy proxy;
    private Rowlock rowlock;

    @BeforeEach
    void open() throws IOException {
        database = TestDatabase.create(
                "CREATE TABLE entry (id bigint PRIMARY KEY, n bigint NOT NULL CHECK (n > 0))",
                "CREATE TABLE late (id bigint UNIQUE DEFERRABLE INITIALLY DEFERRED)",
                "INSERT INTO late VALUES (1)");
        proxy = new TcpProxy(TestDatabase.port());
        rowlock = Rowlock.over(proxy.inFrontOf(database));
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        database.close();
    }

    private static void put(Tx tx, long id, long n) {
        assertThat(tx.execute("INSERT INTO entry VALUES (?, ?)", id, n)).isEqualTo(1);
    }

    private static void putAtCommit(Tx tx, long id, long n) {
        tx.executeAtCommit("INSERT INTO entry VALUES (?, ?)", id, n);
    }

    private long entries() {
        return database.number("SELECT count(*) FROM entry");
    }

    @Test
    void isCommittedWithTheRest() {
        long seen = rowlock.call(tx -> {
            put(tx, 1, 1);
            putAtCommit(tx, 2, 1);
            return tx.query("SELECT count(*) AS n FROM entry").get(0).getLong("n");
        });

        assertThat(seen).isEqualTo(1);
        assertThat(entries()).isEqualTo(2);
        rowlock.run(tx -> putAtCommit(tx, 3, 1)); // and without any other statement
        assertThat(entries()).isEqualTo(3);
    }

    @Test
    void failureRollsBackAndIsTold() {
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    put(tx, 1, 1);
                    putAtCommit(tx, 2, 0);
                }))
                .isInstanceOfSatisfying(
                        DatabaseException.class, e -> assertThat(e.sqlState()).hasValue("23514"));
        assertThat(entries()).isZero();
        rowlock.run(tx -> putAtCommit(tx, 2, 1));
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void deferredConstraintIsChecked() {
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    put(tx, 1, 1);
                    tx.executeAtCommit("INSERT INTO late VALUES (?)", 1L);
                }))
                .isInstanceOfSatisfying(
                        DatabaseException.class, e -> assertThat(e.sqlState()).hasValue("23505"));
        assertThat(entries()).isZero();
    }

    @Test
    void conflictRunsTheWholeAgain() {
        int[] runs = {0};
        rowlock.run(tx -> {
            runs[0]++;
            put(tx, runs[0], 1);
            tx.executeAtCommit("DO $$ BEGIN IF NOT EXISTS (SELECT FROM entry WHERE id = 2) THEN"
                    + " RAISE EXCEPTION SQLSTATE '40001'; END IF; END $$");
        });
        assertThat(runs).containsExactly(2);
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void errorThatWasSwallowedBeforeItStandsAlsoOnALentConnection() {
        assertThatThrownBy(() -> rowlock.<SQLException>run(tx -> {
                    try (var statement = tx.connection().createStatement()) {
                        statement.execute("SELECT 1 / 0");
                    } catch (SQLException swallowed) {
                        putAtCommit(tx, 2, 1);
                    }
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the failure stands");
        assertThat(entries()).isZero();
    }

    @Test
    void lostAnswerIsAskedFor() {
        rowlock.run(tx -> put(tx, 1, 1));
        proxy.atCommit(AtCommit.CUT_AFTER);
        rowlock.run(tx -> {
            put(tx, 2, 1);
            putAtCommit(tx, 3, 1);
        });
        assertThat(entries()).isEqualTo(3);

        proxy.atCommit(AtCommit.CUT_BEFORE);
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    put(tx, 4, 1);
                    putAtCommit(tx, 5, 1);
                }))
                .isInstanceOf(ConnectionLostException.class);
        assertThat(entries()).isEqualTo(3);
    }

    @Test
    void isSentAtOnceInAUnitOfWorkThatJoined() {
        assertThat(rowlock.isInUnitOfWork()).isFalse();
        rowlock.run(tx -> {
            assertThat(rowlock.isInUnitOfWork()).isTrue();
            rowlock.run(joined -> putAtCommit(joined, 1, 1));
            rowlock.run(joined -> putAtCommit(joined, 2, 1));
            assertThat(tx.query("SELECT FROM entry")).hasSize(2);
            putAtCommit(tx, 3, 1);
        });
        assertThat(entries()).isEqualTo(3);
        assertThat(rowlock.isInUnitOfWork()).isFalse();
    }

    @Test
    void thereIsOneForATransaction() {
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    putAtCommit(tx, 1, 1);
                    putAtCommit(tx, 2, 1);
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("there is a statement for the commit already");
        assertThat(entries()).isZero();
    }

    @Test
    void waitLimitOfOneStatementIsGoneAfterIt() throws SQLException {
        try (Session holder = Session.open(database)) {
            holder.run("LOCK TABLE late");
            assertThatThrownBy(() -> rowlock.run(
                            tx -> tx.queryWaitingAtMost(Duration.ofMillis(10), "SELECT id FROM late WHERE id = ?", 1L)))
                    .isInstanceOf(LockTimeoutException.class);
        }
        rowlock.run(tx -> {
            assertThat(tx.queryWaitingAtMost(Duration.ofMillis(10), "SELECT current_setting('lock_timeout') AS t")
                            .get(0)
                            .getString("t"))
                    .isEqualTo("10ms");
            assertThat(tx.query("SHOW lock_timeout").get(0).getString("lock_timeout"))
                    .isEqualTo("2s");
        });
    }
}
