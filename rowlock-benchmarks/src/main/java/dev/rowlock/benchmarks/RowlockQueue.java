package dev.rowlock.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.Rowlock;
import dev.rowlock.RowlockSchema;
import dev.rowlock.jobs.JobRequest;
import dev.rowlock.jobs.Jobs;
import dev.rowlock.jobs.Worker;
import dev.rowlock.jobs.WorkerBuilder;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Rowlock's own. */
final class RowlockQueue implements JobQueue {
    static final String TYPE = "bench";
    private static final int MOST_AT_ONCE = 1_000;

    private final Rowlock rowlock;
    private final Jobs jobs;
    private final UnaryOperator<WorkerBuilder> settings;
    private @Nullable Worker worker;

    private RowlockQueue(HikariDataSource pool, UnaryOperator<WorkerBuilder> settings) {
        this.rowlock = Rowlock.over(pool);
        this.jobs = Jobs.over(rowlock);
        this.settings = settings;
    }

    static Factory with(UnaryOperator<WorkerBuilder> settings) {
        return pool -> new RowlockQueue(pool, settings);
    }

    @Override
    public void create(Database database) throws Exception {
        database.run("DROP TABLE IF EXISTS rowlock_job CASCADE");
        RowlockSchema.install(rowlock);
    }

    @Override
    public void enqueue(int from, int number) {
        rowlock.run(tx -> {
            for (int first = from; first < from + number; first += MOST_AT_ONCE) {
                jobs.enqueueAll(
                        tx,
                        IntStream.range(first, Math.min(first + MOST_AT_ONCE, from + number))
                                .mapToObj(job -> JobRequest.of(TYPE, Integer.toString(job)))
                                .toList());
            }
        });
    }

    @Override
    public void start(Handler handler) {
        worker = settings.apply(jobs.worker())
                .handle(TYPE, job -> handler.run(Integer.parseInt(job.payload())))
                .start();
    }

    @Override
    public String left(int first) {
        // Ids are drawn in the order of the jobs, from 1 on, and may leave some out.
        return "SELECT count(*) FROM rowlock_job WHERE id > " + first;
    }

    @Override
    public void close() {
        if (worker != null) {
            worker.close();
        }
    }
}
