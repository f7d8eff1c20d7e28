package dev.rowlock.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.Table;
import dev.rowlock.benchmarks.Comparison.Figure;
import dev.rowlock.counter.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One row that everybody wants a unit of, each caller with his own durable answer. */
final class HotRow implements Contest {
    static final Table ITEMS = Table.of(Rows.TABLE, "id");
    /** Connections of each entrant: more only wait for the same row. */
    static final int POOL = 16;

    private static final int CALLERS = 64;
    private static final String OURS = "Counter";
    private static final String FOR_UPDATE = "FOR UPDATE by hand";
    private static final String GUARDED = "guarded UPDATE by hand";

    @Override
    public int number() {
        return 1;
    }

    @Override
    public String title() {
        return "One hot row, 64 callers, bounded decrement";
    }

    static Contender.Opener counter() {
        return Rows.of(1, POOL, HotRow::counterOver, Rows.taken(1));
    }

    static Call.Factory counterOver(HikariDataSource pool) {
        Counter counter =
                Counter.over(Rows.rowlock(pool), ITEMS, "amount").min(0).build();
        return caller -> () -> counter.add(1L, -1).orThrow();
    }

    static Contender.Opener guarded() {
        return Rows.of(1, POOL, pool -> Rows.guardedByHand(pool, caller -> 1), Rows.taken(1));
    }

    static Contender.Opener forUpdate() {
        return Rows.of(1, POOL, pool -> Rows.forUpdateByHand(pool, caller -> 1), Rows.taken(1));
    }

    @Override
    public Result run(Bench bench) throws Exception {
        Map<String, List<Trial>> trials = bench.alternate(List.of(
                bench.entrant(OURS, CALLERS, counter()),
                bench.entrant(FOR_UPDATE, CALLERS, forUpdate()),
                bench.entrant(GUARDED, CALLERS, guarded())));
        List<Comparison> comparisons = new ArrayList<>();
        comparisons.add(Comparison.of(trials, OURS, FOR_UPDATE, Figure.THROUGHPUT, 20, true));
        comparisons.add(Comparison.of(trials, OURS, GUARDED, Figure.THROUGHPUT, 8, true));
        comparisons.add(Comparison.of(trials, OURS, FOR_UPDATE, Figure.P99_TIME, 0.25, false));
        comparisons.add(Comparison.of(trials, OURS, GUARDED, Figure.P99_TIME, 0.25, false));
        return new Result(number(), title(), trials, comparisons, List.of("Each has " + POOL + " connections."));
    }
}
