package dev.rowlock.benchmarks;

import dev.rowlock.benchmarks.Comparison.Figure;
import dev.rowlock.benchmarks.QueueRunner.Entrant;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import ru.yoomoney.tech.dbqueue.settings.ProcessingMode;

/** Jobs that do nothing: what is left is what the queue costs. */
final class JobsThroughput implements Contest {
    static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final String OURS = "Jobs";
    private static final String DB_SCHEDULER = "db-scheduler";
    private static final String DB_QUEUE = "db-queue";
    private static final String JOBRUNR = "JobRunr";
    private static final String QUARTZ = "Quartz";

    @Override
    public int number() {
        return 6;
    }

    @Override
    public String title() {
        return "Jobs that do nothing, each durably completed by itself";
    }

    static Entrant eachByItself(String name) {
        return Entrant.of(name, RowlockQueue.with(worker -> worker.concurrency(QueueRunner.THREADS)));
    }

    static Entrant dbScheduler(String name) {
        return Entrant.of(name, DbSchedulerQueue.forThroughput(QueueRunner.THREADS));
    }

    @Override
    public Result run(Bench bench) throws Exception {
        Map<String, List<Trial>> trials = new QueueRunner(bench, PATIENCE)
                .alternate(List.of(
                        eachByItself(OURS),
                        dbScheduler(DB_SCHEDULER),
                        Entrant.of(
                                DB_QUEUE,
                                DbQueueQueue.with(
                                        QueueRunner.THREADS,
                                        ProcessingMode.WRAP_IN_TRANSACTION,
                                        Duration.ofMinutes(1))),
                        Entrant.slow(JOBRUNR, JobRunrQueue.with(QueueRunner.THREADS)),
                        Entrant.slow(QUARTZ, QuartzQueue.with(QueueRunner.THREADS))));
        return new Result(
                number(),
                title(),
                trials,
                List.of(
                        Comparison.of(trials, OURS, DB_SCHEDULER, Figure.THROUGHPUT, 5, true),
                        Comparison.of(trials, OURS, DB_QUEUE, Figure.THROUGHPUT, 5, true),
                        Comparison.of(trials, OURS, JOBRUNR, Figure.THROUGHPUT, 15, true),
                        Comparison.of(trials, OURS, QUARTZ, Figure.THROUGHPUT, 15, true)),
                List.of(
                        "Each has " + QueueRunner.THREADS + " handlers and " + QueueRunner.CONNECTIONS
                                + " connections. The clock runs from the first handler's start to the last completion.",
                        "db-queue runs a job within the transaction that takes and deletes it, its way with the fewest"
                                + " commits; Quartz's jobs are triggers of one durable job, which costs it least."));
    }
}
