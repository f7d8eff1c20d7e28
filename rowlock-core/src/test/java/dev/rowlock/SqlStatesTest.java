package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** What an error means is decided by SQLSTATE alone, wherever in the chain it stands. */
class SqlStatesTest extends DatabaseTest {
    SqlStatesTest() {
        super("CREATE TABLE unused (id int)");
    }

    @Test
    void exactlyTwoStatesAreRetryable() {
        for (String state : new String[] {"40001", "40P01"}) {
            assertThat(SqlStates.isRetryable(new SQLException("", state))).isTrue();
        }
        for (String state :
                new String[] {"40000", "40002", "40003", "55P03", "25P02", "57014", "4000", "40p01", null}) {
            assertThat(SqlStates.isRetryable(new SQLException("deadlock detected 40P01", state)))
                    .as(state)
                    .isFalse();
        }
    }

    @Test
    void eachStateHasItsMeaning() {
        assertThat(SqlStates.isLockNotAvailable(new SQLException("", "55P03"))).isTrue();
        assertThat(SqlStates.isCanceled(new SQLException("", "57014"))).isTrue();
        for (String state : new String[] {"08006", "08003", "57P01", "25P03", "53300"}) {
            assertThat(SqlStates.isConnectionLost(new SQLException("", state)))
                    .as(state)
                    .isTrue();
        }
        assertThat(SqlStates.isConnectionLost(new SQLException("", "57014"))).isFalse();
        assertThat(SqlStates.isRetryable(new IllegalStateException("40001"))).isFalse();
    }

    @Test
    void stateBehindCausesIsFound() {
        Throwable wrapped = new IllegalStateException(
                new RuntimeException(new SQLException("aborted", "25P02", new SQLException("", "40P01"))));

        assertThat(SqlStates.isRetryable(wrapped)).isTrue();
    }

    @Test
    void stateBehindNextExceptionsIsFound() {
        SQLException batch = new SQLException("batch", "25P02");
        batch.setNextException(new SQLException("one", "23505"));
        batch.setNextException(new SQLException("two", (String) null, new SQLException("deep", "40001")));

        assertThat(SqlStates.isRetryable(new RuntimeException(batch))).isTrue();
    }

    @Test
    void chainThatRunsInACircleEnds() {
        SQLException one = new SQLException("one", "25P02");
        SQLException two = new SQLException("two", "25P02", one);
        one.initCause(two);
        one.setNextException(two);
        assertThat(SqlStates.isRetryable(one)).isFalse();

        SQLException three = new SQLException("three", "40001");
        two.setNextException(three);
        assertThat(SqlStates.isRetryable(one)).isTrue();
    }

    @Test
    void conflictThatWasRetriedInVainIsNotRetriedAgain() {
        Throwable exhausted = catchThrowable(() -> rowlock.withMaxAttempts(1).run(tx -> raise(tx, "40001")));

        assertThat(exhausted).isInstanceOf(RetriesExhaustedException.class);
        assertThat(exhausted.getCause()).matches(SqlStates::isRetryable);
        assertThat(SqlStates.isRetryable(exhausted)).isFalse();
        assertThat(SqlStates.isRetryable(new RuntimeException(exhausted))).isFalse();
    }

    @Test
    void exhaustedRetriesOfAnotherDatabaseDoNotMakeThisOneTryAgain() throws SQLException {
        Rowlock other = Rowlock.over(database.unpooled()).withMaxAttempts(2);
        int[] runs = new int[2];
        Throwable failure = catchThrowable(() -> rowlock.run(tx -> {
            runs[0]++;
            other.run(inner -> {
                runs[1]++;
                raise(inner, "40001");
            });
        }));

        assertThat(failure).isInstanceOf(RetriesExhaustedException.class);
        assertThat(runs).containsExactly(1, 2);
    }
}
