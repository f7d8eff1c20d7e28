package dev.rowlock.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import ru.yoomoney.tech.dbqueue.api.EnqueueParams;
import ru.yoomoney.tech.dbqueue.api.QueueConsumer;
import ru.yoomoney.tech.dbqueue.api.Task;
import ru.yoomoney.tech.dbqueue.api.TaskExecutionResult;
import ru.yoomoney.tech.dbqueue.api.TaskPayloadTransformer;
import ru.yoomoney.tech.dbqueue.api.impl.NoopPayloadTransformer;
import ru.yoomoney.tech.dbqueue.config.DatabaseDialect;
import ru.yoomoney.tech.dbqueue.config.QueueService;
import ru.yoomoney.tech.dbqueue.config.QueueShard;
import ru.yoomoney.tech.dbqueue.config.QueueShardId;
import ru.yoomoney.tech.dbqueue.config.QueueTableSchema;
import ru.yoomoney.tech.dbqueue.config.impl.NoopTaskLifecycleListener;
import ru.yoomoney.tech.dbqueue.config.impl.NoopThreadLifecycleListener;
import ru.yoomoney.tech.dbqueue.settings.ProcessingMode;
import ru.yoomoney.tech.dbqueue.settings.QueueConfig;
import ru.yoomoney.tech.dbqueue.settings.QueueId;
import ru.yoomoney.tech.dbqueue.settings.QueueLocation;
import ru.yoomoney.tech.dbqueue.settings.QueueSettings;
import ru.yoomoney.tech.dbqueue.settings.TaskRetryType;
import ru.yoomoney.tech.dbqueue.spring.dao.SpringDatabaseAccessLayer;

/** YooMoney's db-queue over Spring JDBC. */
final class DbQueueQueue implements JobQueue {
    private static final String TABLE = "queue_tasks";
    private static final QueueLocation LOCATION = QueueLocation.builder()
            .withTableName(TABLE)
            .withQueueId(new QueueId("bench"))
            .build();

    private final QueueShard<SpringDatabaseAccessLayer> shard;
    private final QueueConfig config;
    private @Nullable QueueService service;

    private DbQueueQueue(HikariDataSource pool, QueueSettings settings) {
        this.shard = new QueueShard<>(
                new QueueShardId("main"),
                new SpringDatabaseAccessLayer(
                        DatabaseDialect.POSTGRESQL,
                        QueueTableSchema.builder().build(),
                        new JdbcTemplate(pool),
                        new TransactionTemplate(new DataSourceTransactionManager(pool))));
        this.config = new QueueConfig(LOCATION, settings);
    }

    /**
     * No pause between tasks, which its README names as what limits throughput.
     *
     * @param retry behind which a task is taken again that was not completed: there is no sign of life, so no task may take longer
     */
    static Factory with(int threads, ProcessingMode mode, Duration retry) {
        QueueSettings settings = QueueSettings.builder()
                .withThreadCount(threads)
                .withBetweenTaskTimeout(Duration.ZERO)
                .withNoTaskTimeout(Duration.ofMillis(100))
                .withProcessingMode(mode)
                .withRetryType(TaskRetryType.LINEAR_BACKOFF)
                .withRetryInterval(retry)
                .build();
        return pool -> new DbQueueQueue(pool, settings);
    }

    /** Table, index, fill factor and a more eager autovacuum as its README has them. */
    @Override
    public void create(Database database) throws Exception {
        database.run("DROP TABLE IF EXISTS " + TABLE, """
                CREATE TABLE queue_tasks (
                  id bigserial PRIMARY KEY,
                  queue_name text NOT NULL,
                  payload text,
                  created_at timestamp with time zone DEFAULT now(),
                  next_process_at timestamp with time zone DEFAULT now(),
                  attempt integer DEFAULT 0,
                  reenqueue_attempt integer DEFAULT 0,
                  total_attempt integer DEFAULT 0
                ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01)""", """
                CREATE INDEX queue_tasks_name_time_desc_idx
                ON queue_tasks (queue_name, next_process_at, id DESC)
                WITH (fillfactor = 70)""");
    }

    @Override
    public void enqueue(int from, int jobs) {
        SpringDatabaseAccessLayer database = shard.getDatabaseAccessLayer();
        database.transact(() -> {
            for (int job = from; job < from + jobs; job++) {
                database.getQueueDao().enqueue(LOCATION, EnqueueParams.create(Integer.toString(job)));
            }
        });
    }

    /** Hands tasks to the handler. */
    private record Consumer(QueueConfig config, Handler handler) implements QueueConsumer<String> {
        @Override
        public TaskExecutionResult execute(Task<String> task) {
            try {
                handler.run(Integer.parseInt(task.getPayloadOrThrow()));
                return TaskExecutionResult.finish();
            } catch (Exception e) {
                return TaskExecutionResult.fail();
            }
        }

        @Override
        public QueueConfig getQueueConfig() {
            return config;
        }

        @Override
        public TaskPayloadTransformer<String> getPayloadTransformer() {
            return NoopPayloadTransformer.getInstance();
        }
    }

    @Override
    public void start(Handler handler) {
        service = new QueueService(
                List.of(shard), NoopThreadLifecycleListener.getInstance(), NoopTaskLifecycleListener.getInstance());
        service.registerQueue(new Consumer(config, handler));
        service.start();
    }

    @Override
    public String left(int first) {
        return "SELECT count(*) FROM " + TABLE;
    }

    @Override
    public void close() {
        if (service != null) {
            service.shutdown();
            service.awaitTermination(Duration.ofSeconds(10));
        }
    }
}
