package dev.rowlock.watch.waits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A stream of snapshots outlives failures of the server, and ends when it is told to. */
class SubscriptionTest {
    private static final Duration INTERVAL = LockWaits.SHORTEST_INTERVAL;
    private static EmbeddedPostgres server;

    private final BlockingQueue<Object> told = new LinkedBlockingQueue<>();

    @BeforeAll
    static void start() throws IOException {
        server = EmbeddedPostgres.start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    private Object next() throws InterruptedException {
        return told.poll(20, TimeUnit.SECONDS);
    }

    @Test
    void tellsSnapshotAfterSnapshot() throws InterruptedException {
        LockWaits waits = LockWaits.of(server.getPostgresDatabase());

        try (Subscription subscription = waits.subscribe(INTERVAL, told::add, told::add)) {
            assertThat(subscription).isNotNull();
            assertThat(next()).isInstanceOf(LockSnapshot.class);
            assertThat(next()).isInstanceOf(LockSnapshot.class);
        }
    }

    @Test
    void goesOnAfterAFailure() throws InterruptedException {
        AtomicInteger connections = new AtomicInteger();
        DataSource unsteady = new PGSimpleDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                if (connections.getAndIncrement() == 0) {
                    throw new SQLException("no connection today", "08001");
                }
                return server.getPostgresDatabase().getConnection();
            }
        };

        try (Subscription subscription = LockWaits.of(unsteady).subscribe(INTERVAL, told::add, told::add)) {
            assertThat(subscription).isNotNull();
            assertThat(next()).isInstanceOf(SQLException.class);
            assertThat(next()).isInstanceOf(LockSnapshot.class);
        }
    }

    @Test
    void endsWhenTheListenerThrowsAndDoesNotHideIt() throws InterruptedException {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> told.add(thrown));
        try (Subscription subscription = LockWaits.of(server.getPostgresDatabase())
                .subscribe(
                        INTERVAL,
                        snapshot -> {
                            throw new IllegalStateException("enough");
                        },
                        told::add)) {
            assertThat(subscription).isNotNull();
            assertThat(next()).isInstanceOf(IllegalStateException.class);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void intervalTooShortIsRefused() {
        LockWaits waits = LockWaits.of(server.getPostgresDatabase());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> waits.subscribe(Duration.ofMillis(99), told::add, told::add))
                .withMessageContaining("PT0.099S")
                .withMessageContaining("PT0.1S");
    }
}
