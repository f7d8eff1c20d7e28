package dev.rowlock.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.DatabaseTest;
import dev.rowlock.RowlockSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The connection that listens is cut: what is told meanwhile is found by polling, and once it listens again it is told again. */
class ListeningTest extends DatabaseTest {
    private final AtomicBoolean down = new AtomicBoolean();
    private final AtomicInteger refused = new AtomicInteger();

    @BeforeEach
    void install() {
        RowlockSchema.install(rowlock);
    }

    /** Connects to the server unless that is down for it. */
    private final class Line extends PGSimpleDataSource {
        Line() {
            PGSimpleDataSource to = database.unpooled();
            setServerNames(to.getServerNames());
            setPortNumbers(to.getPortNumbers());
            setDatabaseName(to.getDatabaseName());
            setUser(to.getUser());
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (down.get()) {
                refused.incrementAndGet();
                throw new SQLException("the server is down", "08001");
            }
            return super.getConnection();
        }
    }

    private static void until(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(condition);
    }

    private void untilListening() {
        until(() -> database.number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND query = 'LISTEN rowlock_jobs' AND state = 'idle'")
                == 1);
    }

    private void cut() {
        down.set(true);
        assertThat(database.number("SELECT count(pg_terminate_backend(pid, 20000)) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND query = 'LISTEN rowlock_jobs'"))
                .isEqualTo(1);
        until(() -> refused.get() > 0);
    }

    private WorkerBuilder worker(Duration poll) {
        return Jobs.over(rowlock)
                .worker()
                .pollInterval(poll)
                .listenOn(new Line())
                .handle("mail", job -> {});
    }

    private void enqueueElsewhere() {
        Jobs.over(rowlock).enqueue(JobRequest.of("mail", "7"));
    }

    private long left() {
        return database.number("SELECT count(*) FROM rowlock_job");
    }

    @Test
    void jobThatComesWhileNobodyListensIsFoundByPolling() {
        try (Worker worker = worker(Duration.ofMillis(200)).start()) {
            untilListening();
            cut();
            enqueueElsewhere();
            until(() -> left() == 0);
            assertThat(down).isTrue();
        }
    }

    /** With a minute between polls, nothing but a wake-up is in time. */
    @Test
    void whoListensAgainIsToldAgainAndLooksForWhatCameMeanwhile() {
        try (Worker worker = worker(Duration.ofMinutes(1)).start()) {
            untilListening();
            enqueueElsewhere();
            until(() -> left() == 0);
            cut();
            enqueueElsewhere();
            assertThat(left()).isEqualTo(1);
            down.set(false);
            until(() -> left() == 0);
            enqueueElsewhere();
            until(() -> left() == 0);
        }
    }
}
