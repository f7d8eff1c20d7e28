package dev.rowlock.benchmarks;

import dev.rowlock.benchmarks.Comparison.Figure;
import java.util.List;
import java.util.Map;

/** Whether more callers make the hot row slower. */
final class HotRowCallers implements Contest {
    @Override
    public int number() {
        return 2;
    }

    @Override
    public String title() {
        return "The same row with 8, 64 and 256 callers";
    }

    @Override
    public Result run(Bench bench) throws Exception {
        Map<String, List<Trial>> trials = bench.alternate(List.of(
                bench.entrant("Counter, 8 callers", 8, HotRow.counter()),
                bench.entrant("Counter, 64 callers", 64, HotRow.counter()),
                bench.entrant("Counter, 256 callers", 256, HotRow.counter())));
        return new Result(
                number(),
                title(),
                trials,
                List.of(
                        Comparison.of(
                                trials, "Counter, 64 callers", "Counter, 8 callers", Figure.THROUGHPUT, 0.95, true),
                        Comparison.of(
                                trials, "Counter, 256 callers", "Counter, 64 callers", Figure.THROUGHPUT, 0.95, true)),
                List.of());
    }
}
