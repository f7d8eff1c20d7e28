package dev.rowlock.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.CommitUnknownException;
import dev.rowlock.ConnectionLostException;
import dev.rowlock.Rowlock;
import dev.rowlock.Session;
import dev.rowlock.Table;
import dev.rowlock.TcpProxy;
import dev.rowlock.TcpProxy.AtCommit;
import dev.rowlock.TestDatabase;
import dev.rowlock.Threads;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The connection breaks in the commit of a batch: each of its callers is told what really happened. */
class BrokenCommitTest {
    private TestDatabase database;
    private TcpProxy proxy;
    private Threads threads;
    private Counter counter;

    @BeforeEach
    void open() throws IOException {
        database = TestDatabase.create(
                "CREATE TABLE account (id bigint PRIMARY KEY, amount bigint NOT NULL)",
                "INSERT INTO account VALUES (1, 100), (2, 100)");
        proxy = new TcpProxy(TestDatabase.port());
        threads = new Threads();
        Rowlock rowlock = Rowlock.builder(proxy.inFrontOf(database))
                .lockTimeout(Duration.ofSeconds(10))
                .commitCheckLimit(Duration.ofSeconds(2))
                .build();
        counter = Counter.over(rowlock, Table.of("account", "id"), "amount")
                .min(0)
                .timeout(Duration.ofSeconds(20))
                .build();
        assertThat(counter.add(9, 1).isApplied()).isFalse();
    }

    @AfterEach
    void close() throws IOException {
        threads.close();
        proxy.close();
        database.close();
    }

    /** One caller alone, whose statement commits by itself, and three more in a batch whose COMMIT is struck. */
    private List<Future<Change>> batchOfThree(AtCommit what) throws Exception {
        List<Future<Change>> batch = new ArrayList<>();
        try (Session outside = Session.open(database)) {
            outside.run("SELECT * FROM account WHERE id = 1 FOR UPDATE");
            Future<Change> first = threads.start(() -> counter.add(1, -1));
            database.awaitBlocked(1);
            for (int i = 1; i <= 3; i++) {
                int waiting = i;
                batch.add(threads.start(() -> counter.add(1, -10)));
                Awaitility.await()
                        .atMost(Duration.ofSeconds(20))
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(2))
                        .until(() -> counter.stats().waiting() == waiting);
            }
            proxy.atCommit(what);
            outside.commit();
            assertThat(Threads.result(first).orThrow()).isEqualTo(99);
        }
        return batch;
    }

    @Test
    void commitThatWasExecutedIsToldToAllAsApplied() throws Exception {
        List<Future<Change>> batch = batchOfThree(AtCommit.CUT_AFTER);

        assertThat(Threads.result(batch.get(0)).orThrow()).isEqualTo(89);
        assertThat(Threads.result(batch.get(1)).orThrow()).isEqualTo(79);
        assertThat(Threads.result(batch.get(2)).orThrow()).isEqualTo(69);
        assertThat(database.number("SELECT amount FROM account WHERE id = 1")).isEqualTo(69);
    }

    @Test
    void commitThatNeverArrivedIsToldToAllAsRolledBack() throws Exception {
        List<Future<Change>> batch = batchOfThree(AtCommit.CUT_BEFORE);

        assertThat(batch)
                .allSatisfy(one -> assertThat(Threads.failure(one))
                        .isInstanceOf(ConnectionLostException.class)
                        .hasMessageContaining("rolled back"));
        assertThat(database.number("SELECT amount FROM account WHERE id = 1")).isEqualTo(99);
        assertThat(counter.add(1, -1).orThrow()).as("nothing is left behind").isEqualTo(98);
    }

    @Test
    void commitThatNobodyCanTellOfIsToldToAllAsUnknownWithTheIdToAskFor() throws Exception {
        List<Future<Change>> batch = batchOfThree(AtCommit.SERVER_GONE);

        assertThat(batch)
                .allSatisfy(one -> assertThat(Threads.failure(one))
                        .isInstanceOfSatisfying(
                                CommitUnknownException.class,
                                unknown -> assertThat(unknown.transactionId()).isPresent()));
    }
}
