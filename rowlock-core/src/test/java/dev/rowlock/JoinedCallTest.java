package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A unit of work called inside another one joins its transaction. */
class JoinedCallTest extends DatabaseTest {
    private static final Table NOTES = Table.of("note", "id");
    private static final String PID = "SELECT pg_backend_pid()";

    JoinedCallTest() {
        super("CREATE TABLE note (id bigint PRIMARY KEY)");
    }

    @Test
    void joinedCallUsesTheOnlyConnectionOfThePool() throws SQLException {
        try (TestDatabase small = TestDatabase.create(1)) {
            Rowlock alone = Rowlock.over(small.pool());
            String[] pids = alone.call(tx -> {
                String outer = text(tx, PID);
                String inner = alone.call(joined -> text(joined, PID));
                return new String[] {outer, inner};
            });
            assertThat(pids[1]).isEqualTo(pids[0]);
        }
    }

    /** The broken twin: who takes a second connection while holding the only one waits for himself. */
    @Test
    void secondConnectionFromAPoolOfOneIsNeverThere() throws SQLException {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(database.unpooled());
            pool.setMaximumPoolSize(1);
            pool.setConnectionTimeout(250);
            try (Connection outer = pool.getConnection()) {
                assertThat(outer.isValid(5)).isTrue();
                assertThatThrownBy(pool::getConnection).isInstanceOf(SQLTransientConnectionException.class);
            }
        }
    }

    @Test
    void joinedCallOfAnotherInstanceOverTheSameDataSourceJoinsToo() {
        Rowlock other = Rowlock.over(database.pool());
        rowlock.run(tx -> {
            tx.insert(NOTES).set("id", 1).apply();
            other.run(joined -> assertThat(joined.peek(NOTES, 1)).isPresent());
        });
    }

    @Test
    void callOverAnotherDataSourceIsATransactionOfItsOwn() {
        Rowlock other = Rowlock.over(database.unpooled());
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    tx.insert(NOTES).set("id", 1).apply();
                    other.run(own -> own.insert(NOTES).set("id", 2).apply());
                    throw new IllegalArgumentException("no");
                }))
                .hasMessage("no");

        assertThat(database.number("SELECT id FROM note")).isEqualTo(2);
    }

    @Test
    void innerFailureCaughtOutsideRollsBackAndIsTold() {
        RuntimeException inner = new IllegalArgumentException("inner");
        assertThatIllegalStateException()
                .isThrownBy(() -> rowlock.run(tx -> {
                    tx.insert(NOTES).set("id", 1).apply();
                    try {
                        rowlock.run(joined -> {
                            joined.insert(NOTES).set("id", 2).apply();
                            throw inner;
                        });
                    } catch (IllegalArgumentException e) {
                        assertThat(e).isSameAs(inner);
                    }
                }))
                .withMessageContaining("rolled back")
                .withCause(inner);

        assertThat(database.number("SELECT count(*) FROM note")).isZero();
    }

    @Test
    void innerFailureThatPassesReachesTheCallerAsItIs() {
        Exception inner = new Exception("inner");
        assertThatThrownBy(() -> rowlock.run(tx -> {
                    tx.insert(NOTES).set("id", 1).apply();
                    rowlock.run(joined -> {
                        throw inner;
                    });
                }))
                .isSameAs(inner);

        assertThat(database.number("SELECT count(*) FROM note")).isZero();
    }

    @Test
    void attemptsOfTheInnerCallDoNotCountTheOutermostDecides() {
        AtomicInteger inner = new AtomicInteger();
        assertThatThrownBy(() -> rowlock.withMaxAttempts(2)
                        .run(tx -> rowlock.withMaxAttempts(50).run(joined -> {
                            inner.incrementAndGet();
                            raise(joined, "40001");
                        })))
                .isInstanceOf(RetriesExhaustedException.class);

        assertThat(inner).hasValue(2);
    }

    @Test
    void innerCallThatNeedsAStrongerIsolationIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> rowlock.run(
                        tx -> rowlock.withIsolation(Isolation.SERIALIZABLE).run(joined -> {})))
                .withMessageContaining("SERIALIZABLE");
    }

    @Test
    void innerCallThatNeedsAWeakerIsolationJoins() throws SQLException {
        String level = rowlock.withIsolation(Isolation.SERIALIZABLE)
                .call(tx -> rowlock.call(joined -> text(joined, "SELECT current_setting('transaction_isolation')")));

        assertThat(level).isEqualTo("serializable");
    }

    @Test
    void innerTxIsOverWhenTheInnerFunctionReturns() {
        rowlock.run(tx -> {
            Tx kept = rowlock.<Tx, RuntimeException>call(joined -> joined);
            assertThatIllegalStateException()
                    .isThrownBy(() -> kept.peek(NOTES, 1))
                    .withMessageContaining("after its function returned");
            assertThat(tx.peek(NOTES, 1)).isEmpty();
        });
    }
}
