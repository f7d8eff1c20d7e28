package dev.rowlock.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.Isolation;
import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import dev.rowlock.TransactionConflictException;
import dev.rowlock.spring.TestApp;
import dev.rowlock.spring.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A unit of work inside a transaction of Spring's is a part of it, whichever transaction manager opened it. */
class JoinTest {
    static final Table NOTES = Table.of("note", "id");
    private static final String PID = "SELECT pg_backend_pid() AS pid";

    private static TestApp app;

    private final Rowlock rowlock = app.bean(Rowlock.class);
    private final JdbcTemplate jdbc = app.bean(JdbcTemplate.class);
    private final TransactionTemplate spring = new TransactionTemplate(app.bean(PlatformTransactionManager.class));

    @BeforeAll
    static void start() {
        app = TestApp.jdbc(
                TestDatabase.create("CREATE TABLE note (id bigint PRIMARY KEY, size int NOT NULL)"), Map.of());
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @BeforeEach
    void makeNote() {
        app.database().sql("TRUNCATE note", "INSERT INTO note VALUES (1, 0)");
    }

    private long size() {
        return app.database().number("SELECT size FROM note WHERE id = 1");
    }

    private void set(int size) {
        rowlock.run(tx -> tx.update(NOTES, 1).set("size", size).apply().orThrow());
    }

    @Test
    void unitOfWorkUsesTheConnectionOfTheTransaction() {
        spring.executeWithoutResult(status -> {
            long pid = rowlock.query(PID).get(0).getLong("pid");
            assertThat(jdbc.queryForObject(PID, Long.class)).isEqualTo(pid);
            assertThat(rowlock.isInUnitOfWork()).isTrue();
        });
        assertThat(rowlock.isInUnitOfWork()).isFalse();
    }

    @Test
    void bothWritesCommitTogether() {
        spring.executeWithoutResult(status -> {
            jdbc.update("UPDATE note SET size = 4");
            rowlock.runWithLock(NOTES, 1, (tx, note) -> {
                assertThat(note.getInt("size")).isEqualTo(4);
                tx.update(NOTES, 1).add("size", 1).apply().orThrow();
            });
            assertThat(size()).isZero();
        });
        assertThat(size()).isEqualTo(5);
    }

    @Test
    void bothWritesRollBackTogether() {
        spring.executeWithoutResult(status -> {
            set(5);
            status.setRollbackOnly();
        });
        assertThat(size()).isZero();
    }

    /** The broken twin: without joining the write is committed although the transaction around it rolls back. */
    @Test
    void rowlockThatDoesNotJoinCommitsByItself() {
        try (var pool = app.database().pool()) {
            Rowlock apart = Rowlock.over(pool);
            spring.executeWithoutResult(status -> {
                apart.run(tx -> tx.update(NOTES, 1).set("size", 7).apply().orThrow());
                status.setRollbackOnly();
            });
        }
        assertThat(size()).isEqualTo(7);
    }

    @Test
    void limitsHoldInTheTransactionAndNotAfterIt() {
        String before = jdbc.queryForObject("SHOW lock_timeout", String.class);
        spring.executeWithoutResult(status -> {
            set(1);
            assertThat(jdbc.queryForObject("SHOW lock_timeout", String.class)).isEqualTo("2s");
        });
        assertThat(jdbc.queryForObject("SHOW lock_timeout", String.class)).isEqualTo(before);
    }

    @Test
    void caughtFailureLeavesTheTransactionToBeRolledBack() {
        assertThatThrownBy(() -> spring.executeWithoutResult(status -> {
                    set(5);
                    assertThatThrownBy(() -> rowlock.run(tx -> {
                                throw new IllegalArgumentException("no");
                            }))
                            .hasMessage("no");
                    assertThat(status.isRollbackOnly()).isTrue();
                }))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(size()).isZero();
    }

    @Test
    void conflictIsNotRunAgainInsideAndSaysWhy() {
        List<Integer> runs = new ArrayList<>();
        assertThatThrownBy(() -> spring.executeWithoutResult(status -> rowlock.run(tx -> {
                    runs.add(1);
                    tx.query("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '40001'; END $$");
                })))
                .isInstanceOf(TransactionConflictException.class)
                .hasMessageContaining("was not run again");
        assertThat(runs).hasSize(1);
    }

    @Test
    void workForAfterTheCommitIsDoneAfterSpringsCommitAndNotAfterItsRollback() {
        List<String> done = new ArrayList<>();
        spring.executeWithoutResult(status -> {
            rowlock.run(tx -> {
                tx.update(NOTES, 1).set("size", 5).apply().orThrow();
                tx.afterCommit(() -> done.add("size " + size()));
            });
            assertThat(done).isEmpty();
        });
        assertThat(done).containsExactly("size 5");

        spring.executeWithoutResult(status -> {
            rowlock.run(tx -> tx.afterCommit(() -> done.add("never")));
            status.setRollbackOnly();
        });
        assertThat(done).hasSize(1);
    }

    @Test
    void workOfWhatASavepointUndidIsNotDone() {
        List<String> done = new ArrayList<>();
        spring.executeWithoutResult(status -> {
            rowlock.run(tx -> tx.afterCommit(() -> done.add("first")));
            Object savepoint = status.createSavepoint();
            rowlock.run(tx -> {
                tx.update(NOTES, 1).set("size", 5).apply().orThrow();
                tx.afterCommit(() -> done.add("undone"));
            });
            status.rollbackToSavepoint(savepoint);
            rowlock.run(tx -> tx.afterCommit(() -> done.add("last")));
        });
        assertThat(done).containsExactly("first", "last");
        assertThat(size()).isZero();
    }

    @Test
    void innerTransactionIsTheOneToJoin() {
        TransactionTemplate inner = new TransactionTemplate(app.bean(PlatformTransactionManager.class));
        inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        spring.executeWithoutResult(status -> rowlock.run(tx -> {
            long outer = tx.query(PID).get(0).getLong("pid");
            inner.executeWithoutResult(own -> {
                assertThat(rowlock.query(PID).get(0).getLong("pid")).isNotEqualTo(outer);
                set(9);
            });
            assertThat(rowlock.query(PID).get(0).getLong("pid")).isEqualTo(outer);
            status.setRollbackOnly();
        }));
        assertThat(size()).isEqualTo(9);
    }

    @Test
    void suspendedTransactionIsNotJoined() {
        TransactionTemplate without = new TransactionTemplate(app.bean(PlatformTransactionManager.class));
        without.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
        spring.executeWithoutResult(status -> {
            without.executeWithoutResult(none -> set(3));
            status.setRollbackOnly();
        });
        assertThat(size()).isEqualTo(3);
    }

    /** Its connection is still bound then, but nobody would commit what is written on it. */
    @Test
    void transactionThatIsOverIsNotJoined() {
        spring.executeWithoutResult(status ->
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                                .isTrue();
                        set(6);
                    }
                }));
        assertThat(size()).isEqualTo(6);

        spring.executeWithoutResult(
                status -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCompletion(int outcome) {
                        set(7);
                    }
                }));
        assertThat(size()).isEqualTo(7);
    }

    @Test
    void lockInAReadOnlyTransactionIsRefusedClearly() {
        TransactionTemplate reading = new TransactionTemplate(app.bean(PlatformTransactionManager.class));
        reading.setReadOnly(true);
        reading.executeWithoutResult(
                status -> assertThat(rowlock.query("SELECT size FROM note")).hasSize(1));
        assertThatIllegalStateException()
                .isThrownBy(() -> reading.executeWithoutResult(status -> set(1)))
                .withMessageContaining("note")
                .withMessageContaining("read-only");
    }

    @Test
    void strongerIsolationThanTheTransactionsIsRefusedClearly() {
        assertThatIllegalStateException()
                .isThrownBy(() -> spring.executeWithoutResult(
                        status -> rowlock.withIsolation(Isolation.SERIALIZABLE).run(tx -> {})))
                .withMessageContaining("SERIALIZABLE");
        TransactionTemplate strong = new TransactionTemplate(app.bean(PlatformTransactionManager.class));
        strong.setIsolationLevel(TransactionDefinition.ISOLATION_SERIALIZABLE);
        strong.executeWithoutResult(status -> rowlock.withIsolation(Isolation.SERIALIZABLE)
                .run(tx -> assertThat(tx.query("SELECT current_setting('transaction_isolation') AS level")
                                .get(0)
                                .getString("level"))
                        .isEqualTo("serializable")));
    }
}
