package dev.rowlock.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rowlock.DatabaseException;
import dev.rowlock.DatabaseTest;
import dev.rowlock.Session;
import dev.rowlock.Table;
import dev.rowlock.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each request is told of once, and each transaction with how many it carried out. */
class CounterListenerTest extends DatabaseTest {
    private static final Table ACCOUNTS = Table.of("account", "id");

    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final CounterListener listener = new CounterListener() {
        @Override
        public void onCarriedOut(Table table, Result result) {
            heard.add(table.name() + " " + result);
        }

        @Override
        public void onBatch(Table table, int requests, long nanos) {
            heard.add("batch of " + requests + (nanos > 0 ? "" : " in no time"));
        }

        @Override
        public void onNotBegun(Table table, NotBegunException.Reason reason) {
            heard.add("not begun " + reason);
        }
    };
    private Counter counter;

    CounterListenerTest() {
        super(
                "CREATE TABLE account (id bigint PRIMARY KEY, amount bigint NOT NULL CHECK (amount <> 66))",
                "INSERT INTO account VALUES (1, 10), (2, 10)");
    }

    @BeforeEach
    void declare() {
        counter = builder().listener(listener).build();
    }

    private CounterBuilder builder() {
        return Counter.over(rowlock, ACCOUNTS, "amount").min(0).timeout(Duration.ofSeconds(20));
    }

    @Test
    void resultsOfCallersAlone() {
        counter.add(1, -1);
        counter.add(1, -100);
        counter.add(9, 1);
        counter.transfer(1, 2, 3);
        assertThatExceptionOfType(DatabaseException.class).isThrownBy(() -> counter.add(1, 60));

        assertThat(heard)
                .containsExactly(
                        "batch of 1",
                        "account APPLIED",
                        "batch of 1",
                        "account REFUSED",
                        "batch of 1",
                        "account MISSING",
                        "batch of 1",
                        "account APPLIED",
                        "batch of 1",
                        "account FAILED");
    }

    @Test
    void resultsInAnOpenTransaction() {
        rowlock.run(tx -> {
            counter.addIn(tx, 1, -1);
            counter.addAllIn(tx, Map.of(1, -1L, 2, -100L));
        });

        assertThat(heard).containsExactly("account APPLIED", "account REFUSED");
    }

    @Test
    void combinedRequestsAreOneBatch() throws Exception {
        List<Future<Change>> callers = new ArrayList<>();
        try (Session outside = Session.open(database)) {
            outside.run("SELECT * FROM account WHERE id = 1 FOR UPDATE");
            callers.add(threads.start(() -> counter.add(1, 1)));
            database.awaitBlocked(1);
            for (int i = 1; i <= 3; i++) {
                callers.add(threads.start(() -> counter.add(1, 1)));
                awaitWaiting(i);
            }
            outside.rollback();
            for (Future<Change> caller : callers) {
                assertThat(Threads.result(caller).isApplied()).isTrue();
            }
        }

        assertThat(heard)
                .containsExactly(
                        "batch of 1",
                        "account APPLIED",
                        "batch of 3",
                        "account APPLIED",
                        "account APPLIED",
                        "account APPLIED");
    }

    private void awaitWaiting(int number) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> counter.stats().waiting() == number);
    }

    @Test
    void fullQueueAndTimeOut() throws Exception {
        counter = builder().queueLimit(1).listener(listener).build();
        try (Session outside = Session.open(database)) {
            outside.run("SELECT * FROM account WHERE id = 1 FOR UPDATE");
            Future<Change> first = threads.start(() -> counter.add(1, 1));
            database.awaitBlocked(1);
            assertThatExceptionOfType(NotBegunException.class)
                    .isThrownBy(() -> counter.withTimeout(Duration.ofMillis(1)).add(1, 1));
            Future<Change> waiting = threads.start(() -> counter.add(1, 1));
            awaitWaiting(1);
            assertThatExceptionOfType(NotBegunException.class).isThrownBy(() -> counter.add(1, 1));
            assertThatExceptionOfType(NotBegunException.class).isThrownBy(() -> counter.addAsync(1, 1));
            outside.rollback();
            assertThat(Threads.result(first).isApplied()).isTrue();
            assertThat(Threads.result(waiting).isApplied()).isTrue();
        }

        assertThat(heard.subList(0, 3))
                .containsExactly("not begun TIMED_OUT", "not begun QUEUE_FULL", "not begun QUEUE_FULL");
        assertThat(heard).hasSize(7);
    }

    @Test
    void listenerThatFailsHarmsNobody() {
        Counter broken = builder()
                .listener(new CounterListener() {
                    @Override
                    public void onCarriedOut(Table table, Result result) {
                        heard.add("asked");
                        throw new AssertionError("broken meter");
                    }

                    @Override
                    public void onBatch(Table table, int requests, long nanos) {
                        throw new IllegalStateException("broken meter");
                    }
                })
                .build();

        assertThat(broken.add(1, 1).isApplied()).isTrue();
        assertThat(broken.addAsync(1, 1).join().isApplied()).isTrue();
        assertThat(broken.stats().running()).isZero();
        assertThat(heard).containsExactly("asked", "asked");
    }
}
