package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A unit of work inside a transaction that somebody else opened becomes a part of it. */
class OuterTransactionTest extends DatabaseTest {
    private static final Table NOTES = Table.of("note", "id");
    private static final String PID = "SELECT pg_backend_pid()";

    private final List<String> attempts = new ArrayList<>();
    private @Nullable Owner current;
    private Rowlock joining;

    OuterTransactionTest() {
        super("CREATE TABLE note (id bigint PRIMARY KEY, size int NOT NULL DEFAULT 0)", "INSERT INTO note VALUES (1)");
    }

    @BeforeEach
    void join() {
        joining = Rowlock.builder(database.pool())
                .joining(() -> Optional.ofNullable(current))
                .listener(new RowlockListener() {
                    @Override
                    public void onFailedAttempt(FailedAttempt attempt) {
                        attempts.add(attempt.sqlState() + " " + attempt.retryAfter());
                    }
                })
                .build();
    }

    /** Whoever opens, commits and rolls back, as a framework does. */
    private final class Owner implements OuterTransaction {
        private final Connection connection;
        private final @Nullable Owner suspended = current;
        private final List<Runnable> afterCommit = new ArrayList<>();
        private @Nullable Throwable rollbackOnly;
        private boolean readOnly;
        private int borrowed;

        Owner() throws SQLException {
            connection = database.pool().getConnection();
            connection.setAutoCommit(false);
            current = this;
        }

        void commit() throws SQLException {
            assertThat(rollbackOnly).isNull();
            connection.commit();
            end();
            afterCommit.forEach(Runnable::run);
        }

        void rollBack() throws SQLException {
            connection.rollback();
            end();
        }

        private void end() throws SQLException {
            current = suspended;
            connection.setAutoCommit(true);
            connection.close();
            assertThat(borrowed).isZero();
        }

        String ask(String query) throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery(query)) {
                result.next();
                return result.getString(1);
            }
        }

        @Override
        public Connection connection() {
            borrowed++;
            return connection;
        }

        @Override
        public boolean readOnly() {
            return readOnly;
        }

        @Override
        public void markRollbackOnly(Throwable cause) {
            rollbackOnly = cause;
        }

        @Override
        public void afterCommit(Runnable work) {
            afterCommit.add(work);
        }

        @Override
        public void close() {
            borrowed = 0;
        }
    }

    @Test
    void unitOfWorkRunsOnTheConnectionOfTheOwner() throws SQLException {
        Owner owner = new Owner();
        assertThat(joining.isInUnitOfWork()).isTrue();
        String inside = joining.call(tx -> text(tx, PID));

        assertThat(inside).isEqualTo(owner.ask(PID));
        owner.rollBack();
        assertThat(joining.isInUnitOfWork()).isFalse();
    }

    @Test
    void whatItWroteIsThereOnlyIfTheOwnerCommits() throws SQLException {
        Owner owner = new Owner();
        must(joining.update(NOTES, 1).set("size", 5).apply());
        assertThat(size()).isZero();
        owner.commit();
        assertThat(size()).isEqualTo(5);

        Owner second = new Owner();
        must(joining.update(NOTES, 1).set("size", 6).apply());
        second.rollBack();
        assertThat(size()).isEqualTo(5);
    }

    /** The broken twin: one that does not join commits what the owner then rolls back. */
    @Test
    void withoutJoiningTheWriteSurvivesTheRollBackOfTheOwner() throws SQLException {
        Owner owner = new Owner();
        must(rowlock.update(NOTES, 1).set("size", 7).apply());
        owner.rollBack();

        assertThat(size()).isEqualTo(7);
    }

    @Test
    void limitsHoldUntilTheEndOfTheTransactionAndNoLonger() throws SQLException {
        Owner owner = new Owner();
        String before = owner.ask("SHOW lock_timeout");
        joining.runWithLock(
                NOTES, 1, (tx, row) -> assertThat(row.getInt("size")).isZero());
        assertThat(owner.ask("SHOW lock_timeout")).isEqualTo("2s");
        assertThat(owner.ask("SHOW statement_timeout")).isEqualTo("15s");
        assertThat(owner.ask("SHOW idle_in_transaction_session_timeout")).isEqualTo("30s");

        owner.connection.commit();
        assertThat(owner.ask("SHOW lock_timeout")).isEqualTo(before).isEqualTo("0");
        owner.rollBack();
    }

    @Test
    void conflictIsThrownToTheOwnerAfterOneRunAndSaysWhy() throws SQLException {
        Owner owner = new Owner();
        AtomicInteger runs = new AtomicInteger();
        assertThatThrownBy(() -> joining.run(tx -> {
                    runs.incrementAndGet();
                    raise(tx, "40P01");
                }))
                .isInstanceOf(TransactionConflictException.class)
                .hasMessageContaining("40P01")
                .hasMessageContaining("was not run again")
                .hasMessageContaining("opened outside of Rowlock")
                .satisfies(e -> assertThat(SqlStates.isRetryable(e)).isTrue());

        assertThat(runs).hasValue(1);
        assertThat(attempts).containsExactly("40P01 null");
        assertThat(owner.rollbackOnly).isNotNull();
        owner.rollBack();
    }

    @Test
    void failureLeavesTheTransactionToBeRolledBackAndPassesAsItIs() throws SQLException {
        Owner owner = new Owner();
        RuntimeException failure = new IllegalArgumentException("no");
        assertThatThrownBy(() -> joining.run(tx -> {
                    throw failure;
                }))
                .isSameAs(failure);

        assertThat(owner.rollbackOnly).isSameAs(failure);
        owner.rollBack();
    }

    @Test
    void swallowedErrorOfAStatementIsTold() throws SQLException {
        Owner owner = new Owner();
        assertThatIllegalStateException()
                .isThrownBy(() -> joining.run(tx -> {
                    try {
                        tx.query("SELECT 1 / 0");
                    } catch (DatabaseException e) {
                        assertThat(e.sqlState()).hasValue("22012");
                    }
                }))
                .withMessageContaining("the error was caught");

        assertThat(owner.rollbackOnly).isNotNull();
        owner.rollBack();
    }

    @Test
    void workForAfterTheCommitWaitsForTheCommitOfTheOwner() throws SQLException {
        List<String> done = new ArrayList<>();
        Owner owner = new Owner();
        joining.run(tx -> tx.afterCommit(() -> done.add("mail")));
        assertThat(done).isEmpty();
        owner.commit();
        assertThat(done).containsExactly("mail");

        Owner second = new Owner();
        joining.run(tx -> tx.afterCommit(() -> done.add("never")));
        second.rollBack();
        assertThat(done).containsExactly("mail");
    }

    @Test
    void workOfAUnitThatFailedIsNotHandedOver() throws SQLException {
        Owner owner = new Owner();
        assertThatThrownBy(() -> joining.run(tx -> {
                    tx.afterCommit(() -> {});
                    throw new IllegalArgumentException("no");
                }))
                .hasMessage("no");
        assertThat(owner.afterCommit).isEmpty();
        owner.rollBack();
    }

    @Test
    void lockInAReadOnlyTransactionIsRefusedAndReadingIsNot() throws SQLException {
        Owner owner = new Owner();
        owner.readOnly = true;
        assertThat(joining.query("SELECT size FROM note").get(0).getInt("size")).isZero();
        assertThatIllegalStateException()
                .isThrownBy(() -> joining.run(tx -> tx.lock(NOTES, 1)))
                .withMessageContaining("note")
                .withMessageContaining("read-only");
        owner.rollBack();
    }

    @Test
    void strongerIsolationThanTheOwnersIsRefused() throws SQLException {
        Owner owner = new Owner();
        assertThatIllegalStateException()
                .isThrownBy(() -> joining.withIsolation(Isolation.SERIALIZABLE).run(tx -> {}))
                .withMessageContaining("SERIALIZABLE")
                .withMessageContaining("READ COMMITTED");
        owner.rollBack();

        Owner strong = new Owner();
        strong.connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        joining.withIsolation(Isolation.REPEATABLE_READ)
                .run(tx -> assertThat(text(tx, "SHOW transaction_isolation")).isEqualTo("serializable"));
        strong.rollBack();
    }

    @Test
    void innerUnitJoinsTheSamePart() throws SQLException {
        Owner owner = new Owner();
        joining.run(tx -> {
            must(joining.update(NOTES, 1).set("size", 5).apply());
            assertThat(tx.lock(NOTES, 1).getInt("size")).isEqualTo(5);
        });
        owner.commit();
        assertThat(size()).isEqualTo(5);
    }

    /** As with REQUIRES_NEW: the innermost transaction is the one that counts, and afterwards the outer one again. */
    @Test
    void transactionOpenedInsideAUnitOfWorkIsTheOneToJoin() throws SQLException {
        Owner owner = new Owner();
        joining.run(tx -> {
            String outer = text(tx, PID);
            Owner inner = new Owner();
            assertThat(joining.<String, SQLException>call(part -> text(part, PID)))
                    .isEqualTo(inner.ask(PID))
                    .isNotEqualTo(outer);
            inner.rollBack();
            assertThat(joining.<String, SQLException>call(part -> text(part, PID)))
                    .isEqualTo(outer);
        });
        owner.rollBack();
    }

    @Test
    void unitOfWorkInsideASuspendedTransactionIsItsOwn() throws SQLException {
        Owner owner = new Owner();
        joining.run(tx -> {
            current = null;
            assertThat(joining.isInUnitOfWork()).isFalse();
            must(joining.update(NOTES, 1).set("size", 5).apply());
            current = owner;
        });
        owner.rollBack();
        assertThat(size()).isEqualTo(5);
    }

    private long size() {
        return database.number("SELECT size FROM note WHERE id = 1");
    }
}
