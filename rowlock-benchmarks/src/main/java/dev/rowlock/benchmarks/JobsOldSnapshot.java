package dev.rowlock.benchmarks;

import dev.rowlock.benchmarks.Comparison.Figure;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The same jobs at the end of a time in which some report kept an old snapshot, so that no dead job could be cleaned away. */
final class JobsOldSnapshot implements Contest {
    private static final Duration FULL = Duration.ofMinutes(3);
    private static final String OURS = "Jobs";
    private static final String DB_SCHEDULER = "db-scheduler";
    private static final String BESIDE = ", beside an old snapshot";

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
                .cleanAndBesideASnapshot(
                        List.of(JobsThroughput.eachByItself(OURS), JobsThroughput.dbScheduler(DB_SCHEDULER)),
                        held,
                        BESIDE);
        return new Result(
                number(),
                title(),
                trials,
                List.of(
                        Comparison.of(trials, OURS + BESIDE, OURS, Figure.THROUGHPUT, 0.98, true),
                        Comparison.of(trials, DB_SCHEDULER + BESIDE, DB_SCHEDULER, Figure.THROUGHPUT, 0.98, true)),
                List.of("Twice, the queues run jobs in turns beside one snapshot for " + held.toMillis() / 1000.0
                        + " s before the clock starts for the first time; it is held to the end. The clean turns come"
                        + " before each."));
    }
}
