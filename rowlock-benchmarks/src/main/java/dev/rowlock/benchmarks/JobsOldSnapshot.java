package dev.rowlock.benchmarks;

import dev.rowlock.benchmarks.Comparison.Figure;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The same jobs at the end of a time in which some report kept an old snapshot, so that no dead job could be cleaned away. */
final class JobsOldSnapshot implements Contest {
    private static final Duration FULL = Duration.ofMinutes(3);
    private static final String CLEAN = "Jobs, clean";
    private static final String HELD = "Jobs, beside an old snapshot";
    private static final String DB_SCHEDULER_CLEAN = "db-scheduler, clean";
    private static final String DB_SCHEDULER_HELD = "db-scheduler, beside one";

    @Override
    public int number() {
        return 8;
    }

    @Override
    public String title() {
        return "The same jobs while another session holds a snapshot";
    }

    @Override
    public Result run(Bench bench) throws Exception {
        Duration held = bench.plan().quick() ? bench.plan().oldSnapshot().dividedBy(2) : FULL;
        Map<String, List<Trial>> trials = new QueueRunner(bench, JobsThroughput.PATIENCE)
                .alternate(List.of(
                        JobsThroughput.eachByItself(CLEAN),
                        JobsThroughput.eachByItself(HELD).beside(held),
                        JobsThroughput.dbScheduler(DB_SCHEDULER_CLEAN),
                        JobsThroughput.dbScheduler(DB_SCHEDULER_HELD).beside(held)));
        return new Result(
                number(),
                title(),
                trials,
                List.of(
                        Comparison.of(trials, HELD, CLEAN, Figure.THROUGHPUT, 0.98, true),
                        Comparison.of(trials, DB_SCHEDULER_HELD, DB_SCHEDULER_CLEAN, Figure.THROUGHPUT, 0.98, true)),
                List.of("Both queues run jobs beside the snapshot for " + held.toMillis() / 1000.0
                        + " s before the clock starts; it is held to the end."));
    }
}
