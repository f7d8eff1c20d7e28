package dev.rowlock.spring.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.RetriesExhaustedException;
import dev.rowlock.Rowlock;
import dev.rowlock.SqlStates;
import dev.rowlock.Table;
import dev.rowlock.TransactionConflictException;
import dev.rowlock.TransactionInterruptedException;
import dev.rowlock.spring.TestApp;
import dev.rowlock.spring.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The whole method is run again, around its transaction. */
class RetryOnConflictTest {
    private static final Table NOTES = Table.of("note", "id");
    private static TestApp app;

    private final Notes notes = app.bean(Notes.class);

    @BeforeAll
    static void start() {
        app = TestApp.jdbc(
                TestDatabase.create("CREATE TABLE note (id bigint PRIMARY KEY, size int NOT NULL)"),
                Map.of("test.web", "true"),
                Notes.class,
                MarkedClass.class);
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @BeforeEach
    void makeNote() {
        app.database().sql("TRUNCATE note", "INSERT INTO note VALUES (1, 0)");
        notes.attempts().clear();
        notes.lose(0);
    }

    /** What the application has. */
    static class Notes {
        private final JdbcTemplate jdbc;
        private final Rowlock rowlock;
        /** For each attempt, the id of its transaction. */
        private final List<String> attempts = new ArrayList<>();
        /** How many attempts lose. */
        private int lost;

        Notes(JdbcTemplate jdbc, Rowlock rowlock) {
            this.jdbc = jdbc;
            this.rowlock = rowlock;
        }

        public List<String> attempts() {
            return attempts;
        }

        public void lose(int howMany) {
            lost = howMany;
        }

        private void attempt(String sqlState) {
            attempts.add(jdbc.queryForObject("SELECT pg_current_xact_id()::text", String.class));
            jdbc.update("UPDATE note SET size = size + 1");
            if (attempts.size() <= lost) {
                jdbc.execute("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '" + sqlState + "'; END $$");
            }
        }

        @Transactional
        @RetryOnConflict(baseDelayMillis = 1)
        public int bothOnOneMethod(String sqlState) {
            assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                    .isTrue();
            attempt(sqlState);
            return attempts.size();
        }

        @RetryOnConflict(attempts = 2, baseDelayMillis = 1, lockTimeouts = true)
        @Transactional
        public int lockTimeoutsToo() {
            attempt("55P03");
            return attempts.size();
        }

        @RetryOnConflict(attempts = 3, baseDelayMillis = 1)
        public void failsWith(Exception failure) throws Exception {
            attempts.add("");
            throw failure;
        }

        @RetryOnConflict(baseDelayMillis = 1)
        @Transactional
        public void catchesTheConflict() {
            attempts.add("");
            if (attempts.size() > 1) {
                return;
            }
            try {
                rowlock.run(tx -> tx.query("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '40P01'; END $$"));
            } catch (TransactionConflictException e) {
                assertThat(SqlStates.isRetryable(e)).isTrue();
            }
        }

        @RetryOnConflict(baseDelayMillis = 60_000, maxDelayMillis = 60_000, budgetMillis = 3_600_000)
        public void loses() throws SQLException {
            attempts.add("");
            throw new SQLException("lost", "40001");
        }

        @RetryOnConflict(allowInTransaction = true)
        public boolean anywhere() {
            return TransactionSynchronizationManager.isActualTransactionActive();
        }

        @Transactional(isolation = Isolation.REPEATABLE_READ)
        @RetryOnConflict(baseDelayMillis = 1)
        public void addOneAfterReading(Runnable betweenReadAndWrite) {
            attempts.add("");
            int size = jdbc.queryForObject("SELECT size FROM note WHERE id = 1", Integer.class);
            betweenReadAndWrite.run();
            rowlock.run(tx -> tx.update(NOTES, 1).set("size", size + 1).apply().orThrow());
        }
    }

    @RetryOnConflict(attempts = 2, baseDelayMillis = 1)
    static class MarkedClass {
        int attempts;

        public void loses() throws SQLException {
            attempts++;
            throw new SQLException("lost", "40001");
        }
    }

    private long size() {
        return app.database().number("SELECT size FROM note");
    }

    private double meter(String name, String... tags) {
        return app.bean(MeterRegistry.class).get(name).tags(tags).counter().count();
    }

    /** If the attempts were inside the transaction, all would have one id, and the second would fail with 25P02. */
    @Test
    void eachAttemptHasATransactionOfItsOwnAlsoWithBothAnnotationsOnOneMethod() {
        notes.lose(2);
        double absorbed = meter("rowlock.conflicts.absorbed", "by", "method");

        assertThat(notes.bothOnOneMethod("40001")).isEqualTo(3);

        assertThat(notes.attempts()).hasSize(3).doesNotHaveDuplicates();
        assertThat(size()).isEqualTo(1);
        assertThat(meter("rowlock.conflicts.absorbed", "by", "method")).isEqualTo(absorbed + 2);
    }

    @Test
    void everyAttemptsErrorIsAttachedWhenThereIsNoOther() {
        notes.lose(9);
        double surfaced = meter("rowlock.conflicts.surfaced", "by", "method");

        assertThatThrownBy(() -> notes.bothOnOneMethod("40P01"))
                .isInstanceOfSatisfying(RetriesExhaustedException.class, e -> {
                    assertThat(e.attempts()).isEqualTo(5);
                    assertThat(e.getSuppressed()).hasSize(4);
                    assertThat(e.getCause()).isNotNull();
                });

        assertThat(size()).isZero();
        assertThat(meter("rowlock.conflicts.surfaced", "by", "method")).isEqualTo(surfaced + 5);
    }

    @Test
    void lostUpdateIsCaughtByTheServerAndRunAgain() {
        List<Runnable> other = new ArrayList<>(List.of(() -> app.database().sql("UPDATE note SET size = 10")));
        notes.addOneAfterReading(() -> {
            if (!other.isEmpty()) {
                other.remove(0).run();
            }
        });
        assertThat(notes.attempts()).hasSize(2);
        assertThat(size()).isEqualTo(11);
    }

    @Test
    void lockTimeoutIsRunAgainOnlyIfAskedFor() {
        notes.lose(1);
        assertThatThrownBy(() -> notes.bothOnOneMethod("55P03")).isInstanceOf(DataAccessException.class);
        assertThat(notes.attempts()).hasSize(1);

        notes.attempts().clear();
        assertThat(notes.lockTimeoutsToo()).isEqualTo(2);
    }

    @Test
    void classOfTheErrorDoesNotDecide() {
        assertThatThrownBy(() -> notes.failsWith(new CannotAcquireLockException("no state")))
                .isInstanceOf(CannotAcquireLockException.class);
        assertThat(notes.attempts()).hasSize(1);

        notes.attempts().clear();
        Exception wrapped = new IllegalArgumentException(new Exception(new SQLException("lost", "40001")));
        assertThatThrownBy(() -> notes.failsWith(wrapped)).isInstanceOf(RetriesExhaustedException.class);
        assertThat(notes.attempts()).hasSize(3);
    }

    @Test
    void conflictThatWasCaughtInsideIsRunAgainToo() {
        notes.catchesTheConflict();
        assertThat(notes.attempts()).hasSize(2);
    }

    @Test
    void callInsideATransactionIsRefusedAndNamesTheMethod() {
        TransactionTemplate spring = new TransactionTemplate(app.bean(PlatformTransactionManager.class));
        assertThatIllegalStateException()
                .isThrownBy(() -> spring.executeWithoutResult(status -> notes.bothOnOneMethod("40001")))
                .withMessageContaining("Notes.bothOnOneMethod")
                .withMessageContaining("inside a transaction");
        assertThat(notes.attempts()).isEmpty();
        assertThat(spring.<Boolean>execute(status -> notes.anywhere())).isTrue();
    }

    @Test
    void interruptedThreadBeginsNoOtherAttempt() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(notes::loses)
                .isInstanceOf(TransactionInterruptedException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(notes.attempts()).hasSize(1);
    }

    @Test
    void annotationOnTheClassCountsForItsMethods() {
        MarkedClass marked = app.bean(MarkedClass.class);
        assertThatThrownBy(marked::loses).isInstanceOf(RetriesExhaustedException.class);
    }
}
