package dev.rowlock.benchmarks;

import dev.rowlock.benchmarks.Comparison.Figure;
import dev.rowlock.benchmarks.QueueRunner.Entrant;
import java.util.List;
import java.util.Map;

/** The same jobs where several may be completed by one commit. */
final class JobsInGroups implements Contest {
    private static final int GROUP = 1_000;
    private static final String OURS = "Jobs, completed in groups";
    private static final String EACH = "Jobs, each by itself";
    private static final String DB_SCHEDULER = "db-scheduler";

    @Override
    public int number() {
        return 7;
    }

    @Override
    public String title() {
        return "The same jobs, completed in groups";
    }

    @Override
    public Result run(Bench bench) throws Exception {
        Map<String, List<Trial>> trials = new QueueRunner(bench, JobsThroughput.PATIENCE)
                .alternate(List.of(
                        Entrant.of(
                                OURS,
                                RowlockQueue.with(worker ->
                                        worker.concurrency(QueueRunner.THREADS).completeInGroups(GROUP))),
                        JobsThroughput.eachByItself(EACH),
                        JobsThroughput.dbScheduler(DB_SCHEDULER)));
        return new Result(
                number(),
                title(),
                trials,
                List.of(
                        Comparison.of(trials, OURS, EACH, Figure.THROUGHPUT, 10, true),
                        Comparison.of(trials, OURS, DB_SCHEDULER, Figure.THROUGHPUT, 25, true)),
                List.of("completeInGroups(" + GROUP
                        + "): if the process dies, those run again whose completion had not come to it."));
    }
}
