package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is run again, what is not, and what each run leaves behind. The server itself raises the errors. */
class RepeatedFunctionTest extends DatabaseTest {
    private static final Table NOTES = Table.of("note", "id");

    private final AtomicInteger attempts = new AtomicInteger();
    private final List<String> mails = new ArrayList<>();

    RepeatedFunctionTest() {
        super("CREATE TABLE note (id bigint PRIMARY KEY, text text)");
    }

    @Test
    void sideEffectAfterCommitHappensOnceAfterThreeAttempts() throws SQLException {
        rowlock.run(tx -> {
            tx.insert(NOTES).set("id", 1).apply();
            tx.afterCommit(() -> mails.add("note 1"));
            failTwice(tx, "40001");
        });

        assertThat(attempts).hasValue(3);
        assertThat(mails).containsExactly("note 1");
        assertThat(notes()).isEqualTo(1);
    }

    /** The broken twin: the mail is sent by the function itself. */
    @Test
    void sideEffectInsideTheFunctionHappensThreeTimes() throws SQLException {
        rowlock.run(tx -> {
            tx.insert(NOTES).set("id", 1).apply();
            mails.add("note 1");
            failTwice(tx, "40001");
        });

        assertThat(mails).hasSize(3);
        assertThat(notes()).isEqualTo(1);
    }

    @Test
    void rawErrorHiddenBehindAnAbortedTransactionIsRunAgain() throws SQLException {
        rowlock.run(tx -> {
            try {
                failTwice(tx, "40P01");
            } catch (SQLException e) {
                execute(tx, "SELECT 1"); // 25P02: the transaction is aborted
            }
            tx.insert(NOTES).set("id", 1).apply();
        });

        assertThat(attempts).hasValue(3);
        assertThat(notes()).isEqualTo(1);
    }

    @Test
    void rowlockStatementBehindASwallowedRawErrorIsRunAgain() {
        rowlock.run(tx -> {
            try {
                failTwice(tx, "40P01");
            } catch (SQLException e) {
                mails.add(e.getSQLState());
            }
            tx.insert(NOTES).set("id", 1).apply();
        });

        assertThat(attempts).hasValue(3);
        assertThat(notes()).isEqualTo(1);
    }

    @Test
    void conflictWrappedByADataLayerIsRunAgain() {
        rowlock.run(tx -> {
            try {
                failTwice(tx, "40001");
            } catch (SQLException e) {
                throw new IllegalArgumentException("the data layer's own error", e);
            }
        });

        assertThat(attempts).hasValue(3);
    }

    @Test
    void otherErrorsAreNotRunAgain() {
        for (String state : List.of("23505", "40002", "40003", "25P02", "55P03", "XX000")) {
            attempts.set(0);
            assertThatThrownBy(() -> rowlock.run(tx -> failTwice(tx, state)))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
            assertThat(attempts).hasValue(1);
        }
    }

    @Test
    void exceptionOfTheFunctionIsNotRunAgainAndRollsBack() {
        Exception own = new Exception("no");
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    attempts.incrementAndGet();
                    tx.insert(NOTES).set("id", 1).apply();
                    throw own;
                }))
                .isSameAs(own);

        assertThat(attempts).hasValue(1);
        assertThat(notes()).isZero();
    }

    @Test
    void lastErrorCarriesTheEarlierConflicts() {
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    failTwice(tx, "40001");
                    throw new IllegalArgumentException("no");
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2).allMatch(SqlStates::isRetryable));
    }

    @Test
    void exhaustedRetriesCarryEveryAttemptsError() {
        assertThatThrownBy(() -> rowlock.withMaxAttempts(2).run(tx -> failTwice(tx, "40001")))
                .isInstanceOfSatisfying(RetriesExhaustedException.class, e -> {
                    assertThat(e.attempts()).isEqualTo(2);
                    assertThat(e.getCause()).matches(SqlStates::isRetryable);
                    assertThat(e.getSuppressed()).hasSize(1).allMatch(SqlStates::isRetryable);
                })
                .hasMessageContaining("maxAttempts is 2");
    }

    private void failTwice(Tx tx, String state) throws SQLException {
        if (attempts.incrementAndGet() <= 2) {
            raise(tx, state);
        }
    }

    private long notes() {
        return database.number("SELECT count(*) FROM note");
    }
}
