package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A waiting caller can be cancelled. */
class InterruptTest extends DatabaseTest {
    private static final Table NOTES = Table.of("note", "id");

    private final AtomicReference<Thread> caller = new AtomicReference<>();
    private TestDatabase small;

    InterruptTest() {
        super("CREATE TABLE unused (id int)");
    }

    @BeforeEach
    void open() {
        small = TestDatabase.create(1, "CREATE TABLE note (id bigint PRIMARY KEY)", "INSERT INTO note VALUES (1)");
    }

    @AfterEach
    void close() {
        small.close();
    }

    private record Outcome(Object error, boolean flag) {}

    @Test
    void callerWaitingForARowLockIsFreedAndWritesNothing() throws Exception {
        Rowlock alone = Rowlock.over(small.pool());
        try (Session holder = Session.open(small)) {
            holder.run("SELECT * FROM note FOR UPDATE");
            Future<Outcome> waiting = threads.start(() -> outcome(() -> Rowlock.builder(small.pool())
                    .lockTimeout(Duration.ofSeconds(15))
                    .build()
                    .run(tx -> {
                        tx.insert(NOTES).set("id", 2).apply();
                        tx.lock(NOTES, 1);
                    })));
            small.awaitBlocked(1);
            caller.get().interrupt();

            Outcome outcome = Threads.result(waiting);
            assertThat(outcome.error()).isInstanceOf(TransactionInterruptedException.class);
            assertThat(outcome.flag()).isTrue();
            assertThat(holder.run("SELECT * FROM note WHERE id = 1 FOR UPDATE")).isEqualTo(1); // still the holder
        }
        assertThat(small.number("SELECT count(*) FROM note")).isEqualTo(1);
        alone.run(tx -> tx.insert(NOTES).set("id", 3).apply()); // the pool's one connection works
        assertThat(small.number("SELECT count(*) FROM note")).isEqualTo(2);
    }

    @Test
    void callerWaitingInAStatementOfItsOwnIsFreedToo() throws Exception {
        try (Session holder = Session.open(small)) {
            holder.run("SELECT * FROM note FOR UPDATE");
            Future<Outcome> waiting = threads.start(() -> outcome(() -> Rowlock.builder(small.pool())
                    .lockTimeout(Duration.ofSeconds(15))
                    .build()
                    .run(tx -> execute(tx, "UPDATE note SET id = 5"))));
            small.awaitBlocked(1);
            caller.get().interrupt();

            assertThat(Threads.failure(waiting))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
        }
        assertThat(small.number("SELECT id FROM note")).isEqualTo(1);
    }

    /** The broken twin: plain JDBC does not hear the interrupt and waits on until the holder lets go. */
    @Test
    void plainJdbcWaitsOnUntilTheHolderLetsGo() throws Exception {
        try (Session holder = Session.open(small);
                Session waiting = Session.open(small)) {
            holder.run("SELECT * FROM note FOR UPDATE");
            Future<Outcome> party = threads.start(() -> outcome(() -> waiting.run("SELECT * FROM note FOR UPDATE")));
            small.awaitBlocked(1);
            caller.get().interrupt();
            small.awaitBlocked(1);
            assertThat(party.isDone()).isFalse();
            holder.commit();

            assertThat(Threads.result(party)).isEqualTo(new Outcome("done", true));
        }
    }

    @Test
    void callerWaitingForAConnectionIsFreed() throws Exception {
        Rowlock alone = Rowlock.over(small.pool());
        HikariPoolMXBean pool = ((HikariDataSource) small.pool()).getHikariPoolMXBean();
        alone.run(tx -> {
            Future<Outcome> waiting = threads.start(() -> outcome(() -> alone.run(second -> {})));
            Awaitility.await("a caller that waits for the connection")
                    .pollInSameThread()
                    .until(() -> pool.getThreadsAwaitingConnection() == 1);
            caller.get().interrupt();

            Outcome outcome = Threads.result(waiting);
            assertThat(outcome.error())
                    .isInstanceOfSatisfying(
                            TransactionInterruptedException.class,
                            e -> assertThat(e).hasMessageContaining("waiting for a connection"));
            assertThat(outcome.flag()).isTrue();
        });
    }

    @Test
    void callerAlreadyInterruptedDoesNotBegin() throws Exception {
        Outcome outcome = Threads.result(threads.start(() -> outcome(() -> {
            Thread.currentThread().interrupt();
            Rowlock.over(small.pool()).run(tx -> tx.insert(NOTES).set("id", 2).apply());
        })));

        assertThat(outcome.error())
                .isInstanceOfSatisfying(
                        TransactionInterruptedException.class,
                        e -> assertThat(e).hasMessageContaining("not begun"));
        assertThat(outcome.flag()).isTrue();
        assertThat(small.number("SELECT count(*) FROM note")).isEqualTo(1);
    }

    @Test
    void interruptBetweenTwoStatementsRollsBack() throws Exception {
        Outcome outcome = Threads.result(threads.start(() ->
                outcome(() -> Rowlock.over(small.pool()).run(tx -> {
                    tx.insert(NOTES).set("id", 2).apply();
                    Thread.currentThread().interrupt();
                    tx.insert(NOTES).set("id", 3).apply();
                }))));

        assertThat(outcome.error()).isInstanceOf(TransactionInterruptedException.class);
        assertThat(outcome.flag()).isTrue();
        assertThat(small.number("SELECT count(*) FROM note")).isEqualTo(1);
    }

    @Test
    void interruptAfterTheLastStatementComesTooLateAndTheFlagStays() throws Exception {
        Outcome outcome = Threads.result(threads.start(() ->
                outcome(() -> Rowlock.over(small.pool()).run(tx -> {
                    tx.insert(NOTES).set("id", 2).apply();
                    Thread.currentThread().interrupt();
                }))));

        assertThat(outcome).isEqualTo(new Outcome("done", true));
        assertThat(small.number("SELECT count(*) FROM note")).isEqualTo(2);
    }

    @Test
    void interruptDuringTheBackoffEndsTheAttempts() throws Exception {
        Rowlock interrupted = Rowlock.builder(small.pool())
                .random(() -> 0.5)
                .sleeper(time -> {
                    Thread.currentThread().interrupt();
                    Sleeper.SYSTEM.sleep(time);
                })
                .build();
        Outcome outcome = Threads.result(threads.start(() -> outcome(() -> interrupted.run(tx -> raise(tx, "40001")))));

        assertThat(outcome.flag()).isTrue();
        assertThat(outcome.error())
                .isInstanceOfSatisfying(
                        TransactionInterruptedException.class,
                        e -> assertThat(e.getSuppressed()).singleElement().matches(SqlStates::isRetryable));
    }

    @FunctionalInterface
    private interface Work {
        void run() throws SQLException;
    }

    /** What the work threw, and whether the thread's flag is set after it. */
    private Outcome outcome(Work work) throws SQLException {
        caller.set(Thread.currentThread());
        Object error = "done";
        try {
            work.run();
        } catch (RowlockException e) {
            error = e;
        }
        return new Outcome(error, Thread.interrupted());
    }
}
