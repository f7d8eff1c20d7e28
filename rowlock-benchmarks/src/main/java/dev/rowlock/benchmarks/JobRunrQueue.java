package dev.rowlock.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.stream.IntStream;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;
import org.jspecify.annotations.Nullable;

/** JobRunr's free edition, with job requests, which cost it less than lambdas. */
final class JobRunrQueue implements JobQueue {
    /** The smallest it takes for a database: AbstractStorageProvider refuses less. The default is 15 s. */
    private static final Duration POLL = Duration.ofSeconds(5);
    /** Of polls without a sign of life behind which a server counts as dead: the smallest and the default. */
    private static final int MISSED_POLLS = 4;

    private final HikariDataSource pool;
    private final int workers;
    private @Nullable StorageProvider storage;
    private @Nullable BackgroundJobServer server;

    private JobRunrQueue(HikariDataSource pool, int workers) {
        this.pool = pool;
        this.workers = workers;
    }

    /** A worker that ends fetches the next jobs at once, so the poll does not limit a full queue. */
    static Factory with(int workers) {
        return pool -> new JobRunrQueue(pool, workers);
    }

    /** A job as it is stored. Public, as the handler, because JobRunr calls them by reflection. */
    public record Numbered(int number) implements JobRequest {
        @Override
        public Class<NumberedHandler> getJobRequestHandler() {
            return NumberedHandler.class;
        }
    }

    /** What runs it. */
    public record NumberedHandler(Handler handler) implements JobRequestHandler<Numbered> {
        @Override
        public void run(Numbered job) throws Exception {
            handler.run(job.number());
        }
    }

    @Override
    public void create(Database database) throws Exception {
        database.run("""
                DO $$
                DECLARE
                  one record;
                BEGIN
                  FOR one IN SELECT viewname FROM pg_views WHERE viewname LIKE 'jobrunr%' LOOP
                    EXECUTE 'DROP VIEW IF EXISTS ' || quote_ident(one.viewname) || ' CASCADE';
                  END LOOP;
                  FOR one IN SELECT tablename FROM pg_tables WHERE tablename LIKE 'jobrunr%' LOOP
                    EXECUTE 'DROP TABLE IF EXISTS ' || quote_ident(one.tablename) || ' CASCADE';
                  END LOOP;
                END $$""");
        storage();
    }

    private StorageProvider storage() {
        if (storage == null) {
            StorageProvider provider = SqlStorageProviderFactory.using(pool);
            provider.setJobMapper(new JobMapper(new Jackson3JsonMapper()));
            storage = provider;
        }
        return storage;
    }

    @Override
    public void enqueue(int from, int jobs) {
        new JobRequestScheduler(storage())
                .enqueue(IntStream.range(from, from + jobs).mapToObj(Numbered::new));
    }

    @Override
    public void start(Handler handler) {
        NumberedHandler numbered = new NumberedHandler(handler);
        JobActivator activator = new JobActivator() {
            @Override
            public <T> @Nullable T activateJob(Class<T> type) {
                return type.isInstance(numbered) ? type.cast(numbered) : null;
            }
        };
        server = new BackgroundJobServer(
                storage(),
                new Jackson3JsonMapper(),
                activator,
                BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                        .andPollInterval(POLL)
                        .andServerTimeoutPollIntervalMultiplicand(MISSED_POLLS)
                        .andWorkerCount(workers));
        server.start();
    }

    @Override
    public String left(int first) {
        return "SELECT count(*) FROM jobrunr_jobs WHERE state <> 'SUCCEEDED'";
    }

    @Override
    public String completed() {
        return "SELECT count(*) FROM jobrunr_jobs WHERE state = 'SUCCEEDED'";
    }

    @Override
    public void close() {
        if (server != null) {
            server.stop();
        }
        if (storage != null) {
            storage.close();
        }
    }
}
