package dev.rowlock.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

/** Quartz on its JDBC store in a cluster. A job is a trigger of one durable job, which is the least that Quartz has to write for it. */
final class QuartzQueue implements JobQueue {
    private static final String NAME = "bench";
    private static final String TABLES = "/org/quartz/impl/jdbcjobstore/tables_postgres.sql";
    private static final String HANDLER = "handler";

    private final HikariDataSource pool;
    private final int threads;
    private @Nullable Scheduler scheduler;

    private QuartzQueue(HikariDataSource pool, int threads) {
        this.pool = pool;
        this.threads = threads;
    }

    static Factory with(int threads) {
        return pool -> new QuartzQueue(pool, threads);
    }

    @Override
    public void create(Database database) throws Exception {
        try (InputStream tables = QuartzQueue.class.getResourceAsStream(TABLES)) {
            if (tables == null) {
                throw new IOException(TABLES + " is not there");
            }
            database.run(new String(tables.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private Scheduler scheduler() throws SchedulerException {
        String source = NAME + "-" + UUID.randomUUID();
        DBConnectionManager.getInstance().addConnectionProvider(source, new Pooled(pool));
        Properties properties = new Properties();
        properties.putAll(Map.ofEntries(
                Map.entry("org.quartz.scheduler.instanceName", NAME),
                Map.entry("org.quartz.scheduler.instanceId", source),
                // The documentation: a larger batch fires more efficiently, and more than 1 needs the lock.
                Map.entry("org.quartz.scheduler.batchTriggerAcquisitionMaxCount", Integer.toString(threads)),
                Map.entry("org.quartz.jobStore.acquireTriggersWithinLock", "true"),
                // StdSchedulerFactory refuses less.
                Map.entry("org.quartz.scheduler.idleWaitTime", "1000"),
                Map.entry("org.quartz.scheduler.makeSchedulerThreadDaemon", "true"),
                Map.entry("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool"),
                Map.entry("org.quartz.threadPool.threadCount", Integer.toString(threads)),
                Map.entry("org.quartz.threadPool.makeThreadsDaemons", "true"),
                Map.entry("org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX"),
                Map.entry("org.quartz.jobStore.driverDelegateClass", "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate"),
                Map.entry("org.quartz.jobStore.useProperties", "true"),
                Map.entry("org.quartz.jobStore.isClustered", "true"),
                // No smallest one is given; JobStoreSupport adds 7.5 s to it in any case before an instance counts as
                // dead.
                Map.entry("org.quartz.jobStore.clusterCheckinInterval", "1000"),
                Map.entry("org.quartz.jobStore.dataSource", source)));
        return new StdSchedulerFactory(properties).getScheduler();
    }

    /** Lends connections of the pool, which outlives Quartz. */
    private record Pooled(HikariDataSource pool) implements ConnectionProvider {
        @Override
        public Connection getConnection() throws SQLException {
            return pool.getConnection();
        }

        @Override
        public void shutdown() {}

        @Override
        public void initialize() {}
    }

    /** Runs the handler that the scheduler was given. */
    public static final class Handled implements Job {
        @Override
        public void execute(JobExecutionContext context) throws JobExecutionException {
            try {
                Handler handler = (Handler) Objects.requireNonNull(
                        context.getScheduler().getContext().get(HANDLER));
                // A job of an instance that died is run by another trigger, which remembers the first one.
                TriggerKey trigger = context.isRecovering()
                        ? context.getRecoveringTriggerKey()
                        : context.getTrigger().getKey();
                handler.run(Integer.parseInt(trigger.getName()));
            } catch (Exception e) {
                throw new JobExecutionException(e);
            }
        }
    }

    @Override
    public void enqueue(int from, int jobs) throws SchedulerException {
        // The factory knows one scheduler of a name at a time.
        Scheduler client = scheduler == null ? scheduler() : scheduler;
        JobDetail job = JobBuilder.newJob(Handled.class)
                .withIdentity(NAME)
                .storeDurably()
                .requestRecovery()
                .build();
        Set<Trigger> triggers = new HashSet<>();
        for (int i = from; i < from + jobs; i++) {
            triggers.add(TriggerBuilder.newTrigger()
                    .withIdentity(Integer.toString(i))
                    .startNow()
                    .build());
        }
        client.scheduleJobs(Map.of(job, triggers), true);
        if (scheduler == null) {
            client.shutdown();
        }
    }

    @Override
    public void start(Handler handler) throws SchedulerException {
        scheduler = scheduler();
        scheduler.getContext().put(HANDLER, handler);
        scheduler.start();
    }

    @Override
    public String left(int first) {
        return "SELECT (SELECT count(*) FROM qrtz_triggers) + (SELECT count(*) FROM qrtz_fired_triggers)";
    }

    @Override
    public void close() throws SchedulerException {
        if (scheduler != null) {
            scheduler.shutdown(true);
        }
    }
}
