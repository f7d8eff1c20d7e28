package dev.rowlock.spring.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.Rowlock;
import dev.rowlock.RowlockSchema;
import dev.rowlock.jobs.Job;
import dev.rowlock.jobs.JobRequest;
import dev.rowlock.jobs.Jobs;
import dev.rowlock.spring.TestApp;
import dev.rowlock.spring.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The worker lives as long as the application. */
class WorkerTest {
    private static TestApp start(Map<String, String> properties, Class<?>... beans) {
        TestDatabase database = TestDatabase.create();
        RowlockSchema.install(Rowlock.over(database.unpooled()));
        return TestApp.jdbc(database, properties, beans);
    }

    /** Takes its time, and needs the pool at the end. */
    static class Slow implements JobType {
        private final JdbcTemplate jdbc;
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        final Queue<String> done = new ConcurrentLinkedQueue<>();

        Slow(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Override
        public String type() {
            return "slow";
        }

        @Override
        public void run(Job job) throws InterruptedException {
            begun.countDown();
            assertThat(mayEnd.await(30, TimeUnit.SECONDS)).isTrue();
            done.add(jdbc.queryForObject("SELECT 'done'", String.class));
        }
    }

    @Test
    void jobOfARolledBackTransactionIsNeverThere() {
        try (TestApp app = start(Map.of("rowlock.jobs.enabled", "false"), Slow.class)) {
            Jobs jobs = app.bean(Jobs.class);
            TransactionTemplate spring = new TransactionTemplate(app.bean(PlatformTransactionManager.class));
            spring.executeWithoutResult(status -> {
                jobs.enqueue(JobRequest.of("slow", ""));
                status.setRollbackOnly();
            });
            assertThat(jobs.stats()).isEmpty();
            spring.executeWithoutResult(status -> jobs.enqueue(JobRequest.of("slow", "")));
            assertThat(jobs.stats()).hasSize(1);
            assertThat(app.context().getBeansOfType(WorkerLifecycle.class)).isEmpty();
        }
    }

    /** The pool must be open until the last handler has ended. */
    @Test
    void runningJobEndsBeforeTheApplicationDoes() throws InterruptedException {
        Slow slow;
        try (TestApp app = start(Map.of(), Slow.class)) {
            slow = app.bean(Slow.class);
            app.bean(Jobs.class).enqueue(JobRequest.of("slow", ""));
            assertThat(slow.begun.await(30, TimeUnit.SECONDS)).isTrue();
            WorkerLifecycle worker = app.bean(WorkerLifecycle.class);
            assertThat(worker.isRunning()).isTrue();
            assertThat(worker.getPhase()).isEqualTo(SmartLifecycle.DEFAULT_PHASE);
            Thread ender = new Thread(() -> {
                Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !worker.isRunning());
                slow.mayEnd.countDown();
            });
            ender.start();
            app.context().stop();
            ender.join(30_000);
            assertThat(app.bean(Jobs.class).stats()).isEmpty();
        }
        assertThat(slow.done).containsExactly("done");
    }

    @Test
    void listenerHasAConnectionOfItsOwn() {
        try (TestApp app = start(Map.of("spring.datasource.hikari.maximum-pool-size", "1"))) {
            DataSource own = OwnConnections.of(app.bean(DataSource.class)).orElseThrow();
            assertThat(new JdbcTemplate(own).queryForList("SELECT current_database()", String.class))
                    .isEqualTo(List.of(
                            app.bean(JdbcTemplate.class).queryForObject("SELECT current_database()", String.class)));
        }
        assertThat(OwnConnections.of(new org.springframework.jdbc.datasource.AbstractDataSource() {
                    @Override
                    public java.sql.Connection getConnection() {
                        throw new UnsupportedOperationException();
                    }

                    @Override
                    public java.sql.Connection getConnection(String user, String password) {
                        throw new UnsupportedOperationException();
                    }
                }))
                .isEmpty();
    }
}
