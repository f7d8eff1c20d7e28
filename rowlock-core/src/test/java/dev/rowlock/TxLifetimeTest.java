package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A transaction belongs to its function and its thread, and nobody ends it behind Rowlock's back. */
class TxLifetimeTest extends DatabaseTest {
    private static final Table NOTES = Table.of("note", "id");

    private static final List<Consumer<Tx>> EVERYTHING = List.of(
            tx -> tx.lock(NOTES, 1),
            tx -> tx.lockAll(NOTES, List.of(1)),
            tx -> tx.lockWhere(NOTES, "true", List.of(), Lock.forShare()),
            tx -> tx.update(NOTES, 1),
            tx -> tx.insert(NOTES),
            tx -> tx.peek(NOTES, 1),
            tx -> tx.afterCommit(() -> {}),
            Tx::connection);

    TxLifetimeTest() {
        super("CREATE TABLE note (id bigint PRIMARY KEY)", "INSERT INTO note VALUES (1)");
    }

    @Test
    void txIsOverWhenItsFunctionHasReturned() {
        Tx kept = rowlock.<Tx, RuntimeException>call(tx -> tx);
        for (Consumer<Tx> use : EVERYTHING) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> use.accept(kept))
                    .withMessageContaining("after its function returned");
        }
    }

    @Test
    void txIsOverInItsAfterCommitWork() {
        Events events = new Events();
        Rowlock.builder(database.pool()).listener(events).build().run(tx -> tx.afterCommit(() -> tx.peek(NOTES, 1)));

        assertThat(events.of(IllegalStateException.class)).hasSize(1);
    }

    @Test
    void txBelongsToItsThread() {
        rowlock.run(tx -> {
            for (Consumer<Tx> use : EVERYTHING) {
                Throwable failure = Threads.failure(threads.start(() -> {
                    use.accept(tx);
                    return "used";
                }));
                assertThat(failure)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("cannot be shared between threads")
                        .hasMessageContaining(Thread.currentThread().getName());
            }
        });
    }

    @Test
    void updateKeptForLaterIsOverToo() {
        Update kept = rowlock.<Update, RuntimeException>call(
                tx -> tx.update(Table.of("note", "id").withVersion("v"), 1));
        assertThatIllegalStateException().isThrownBy(() -> must(kept.apply()));
    }

    @Test
    void connectionIsOverWhenTheFunctionHasReturned() throws SQLException {
        Connection kept = rowlock.<Connection, RuntimeException>call(Tx::connection);

        assertThat(kept.isClosed()).isTrue();
        assertThatIllegalStateException().isThrownBy(kept::createStatement);
    }

    @Test
    void whatWouldEndTheTransactionIsRefused() {
        rowlock.run(tx -> {
            Connection connection = tx.connection();
            List<ThrowingCallable> refused = List.of(
                    connection::commit,
                    connection::rollback,
                    () -> connection.setAutoCommit(true),
                    () -> connection.setReadOnly(true),
                    () -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE),
                    () -> connection.abort(Runnable::run));
            refused.forEach(call ->
                    assertThatIllegalStateException().isThrownBy(call).withMessageContaining("behind Rowlock's back"));
            tx.lock(NOTES, 1); // and it is still open
        });
    }

    @Test
    void statementOfTheConnectionLeadsBackToTheGuard() throws SQLException {
        rowlock.run(tx -> {
            try (Statement statement = tx.connection().createStatement()) {
                assertThatIllegalStateException()
                        .isThrownBy(() -> statement.getConnection().commit());
            }
        });
    }

    @Test
    void closeDoesNothing() throws SQLException {
        rowlock.run(tx -> {
            tx.connection().close();
            assertThat(tx.connection().isClosed()).isFalse();
            execute(tx, "INSERT INTO note VALUES (2)");
        });

        assertThat(database.number("SELECT count(*) FROM note")).isEqualTo(2);
    }

    @Test
    void savepointUndoesWhatCameAfterIt() throws SQLException {
        rowlock.run(tx -> {
            Savepoint before = tx.connection().setSavepoint();
            execute(tx, "INSERT INTO note VALUES (2)");
            tx.connection().rollback(before);
            execute(tx, "INSERT INTO note VALUES (3)");
        });

        assertThat(database.number("SELECT max(id) * 10 + count(*) FROM note")).isEqualTo(32);
    }

    @Test
    void connectionGoesBackToThePoolAsItCame() throws SQLException {
        try (TestDatabase small = TestDatabase.create(1)) {
            Rowlock.over(small.pool()).readOnly().run(tx -> {});
            try (Connection connection = small.pool().getConnection()) {
                assertThat(connection.getAutoCommit()).isTrue();
                assertThat(connection.isReadOnly()).isFalse();
            }
        }
    }

    @Test
    void lockIsNotToBeHadInAReadOnlyTransaction() {
        assertThatExceptionOfType(DatabaseException.class)
                .isThrownBy(() -> rowlock.readOnly().run(tx -> tx.lock(NOTES, 1)))
                .satisfies(e -> assertThat(e.sqlState()).contains("25006"));
    }
}
