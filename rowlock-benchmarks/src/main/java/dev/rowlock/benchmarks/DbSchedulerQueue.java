package dev.rowlock.benchmarks;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** db-scheduler: one-time tasks, found by lock-and-fetch. */
final class DbSchedulerQueue implements JobQueue {
    private static final String TASK = "bench";
    /** There is no smallest one; 0 would never wait. */
    static final Duration POLL = Duration.ofMillis(100);

    private final UnaryOperator<SchedulerBuilder> settings;
    private final HikariDataSource pool;
    private @Nullable Scheduler scheduler;

    private DbSchedulerQueue(HikariDataSource pool, UnaryOperator<SchedulerBuilder> settings) {
        this.pool = pool;
        this.settings = settings;
    }

    static Factory with(UnaryOperator<SchedulerBuilder> settings) {
        return pool -> new DbSchedulerQueue(pool, settings);
    }

    /**
     * For many short tasks. The fractions are those its author measured the most with at this number of threads ("20 threads, lower 4.0,
     * upper 20.0", pull request 175 of kagkarlsson/db-scheduler, which brought lock-and-fetch). Immediate execution only helps tasks
     * that are enqueued while the scheduler runs, so it is off as by default.
     */
    static Factory forThroughput(int threads) {
        return with(builder -> builder.threads(threads).pollingInterval(POLL).pollUsingLockAndFetch(4.0, 20.0));
    }

    /** Its own table for PostgreSQL, without the index for priorities, which are not used. */
    @Override
    public void create(Database database) throws Exception {
        database.run(
                "DROP TABLE IF EXISTS scheduled_tasks",
                """
                CREATE TABLE scheduled_tasks (
                  task_name text NOT NULL,
                  task_instance text NOT NULL,
                  task_data bytea,
                  execution_time timestamp with time zone NOT NULL,
                  picked boolean NOT NULL,
                  picked_by text,
                  last_success timestamp with time zone,
                  last_failure timestamp with time zone,
                  consecutive_failures int,
                  last_heartbeat timestamp with time zone,
                  version bigint NOT NULL,
                  priority smallint,
                  PRIMARY KEY (task_name, task_instance)
                )""",
                "CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)",
                "CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");
    }

    private Scheduler scheduler(Handler handler) {
        OneTimeTask<Void> task = task(handler);
        return settings.apply(Scheduler.create(pool, task)
                        .schedulerName(new SchedulerName.Fixed("bench-" + UUID.randomUUID())))
                .build();
    }

    private static OneTimeTask<Void> task(Handler handler) {
        return Tasks.oneTime(TASK).execute((instance, context) -> {
            try {
                handler.run(Integer.parseInt(instance.getId()));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** As text they sort as the numbers do. */
    private static String id(int job) {
        return String.format(Locale.ROOT, "%010d", job);
    }

    @Override
    public void enqueue(int from, int jobs) {
        OneTimeTask<Void> task = task(job -> {});
        List<TaskInstance<?>> instances = IntStream.range(from, from + jobs)
                .<TaskInstance<?>>mapToObj(job -> task.instance(id(job)))
                .toList();
        scheduler(job -> {}).scheduleBatch(instances, Instant.now());
    }

    @Override
    public void start(Handler handler) {
        scheduler = scheduler(handler);
        scheduler.start();
    }

    @Override
    public String left(int first) {
        return "SELECT count(*) FROM scheduled_tasks WHERE task_name = '" + TASK + "' AND task_instance >= '"
                + id(first) + "'";
    }

    @Override
    public void close() {
        if (scheduler != null) {
            scheduler.stop();
        }
    }
}
