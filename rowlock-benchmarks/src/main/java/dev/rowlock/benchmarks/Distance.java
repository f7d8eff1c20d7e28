package dev.rowlock.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.Rowlock;
import dev.rowlock.benchmarks.Comparison.Figure;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The server is as far away as another zone's is: a millisecond there and back. */
final class Distance implements Contest {
    private static final long ONE_WAY = TimeUnit.MICROSECONDS.toNanos(500);
    private static final int CALLERS = 64;
    private static final String ALONE = "update().onlyIf(), one caller";
    private static final String ALONE_BY_HAND = "FOR UPDATE by hand, one caller";
    private static final String HOT = "Counter, 64 callers";
    private static final String HOT_BY_HAND = "FOR UPDATE by hand, 64 callers";

    @Override
    public int number() {
        return 14;
    }

    @Override
    public String title() {
        return "Guarded write and hot row with a round trip of 1 ms";
    }

    @Override
    public Result run(Bench bench) throws Exception {
        try (SlowLine line = new SlowLine(bench.database().port(), ONE_WAY)) {
            Map<String, List<Trial>> trials = bench.alternate(List.of(
                    bench.entrant(ALONE, 1, over(line, 1, Distance::guarded)),
                    bench.entrant(ALONE_BY_HAND, 1, over(line, 1, pool -> Rows.forUpdateByHand(pool, caller -> 1))),
                    bench.entrant(HOT, CALLERS, over(line, HotRow.POOL, HotRow::counterOver)),
                    bench.entrant(
                            HOT_BY_HAND,
                            CALLERS,
                            over(line, HotRow.POOL, pool -> Rows.forUpdateByHand(pool, caller -> 1)))));
            return new Result(
                    number(),
                    title(),
                    trials,
                    List.of(
                            Comparison.of(trials, ALONE, ALONE_BY_HAND, Figure.THROUGHPUT, 2.8, true),
                            Comparison.of(trials, HOT, HOT_BY_HAND, Figure.THROUGHPUT, 50, true)),
                    List.of(
                            "A proxy delays every byte by 0.5 ms in each direction; it takes processor time of its own."));
        }
    }

    private static Call.Factory guarded(HikariDataSource pool) {
        Rowlock rowlock = Rows.rowlock(pool);
        return caller -> () -> rowlock.update(HotRow.ITEMS, 1L)
                .add("amount", -1)
                .onlyIf("amount >= ?", 1)
                .apply()
                .orThrow();
    }

    private static Contender.Opener over(SlowLine line, int connections, Function<HikariDataSource, Call.Factory> how) {
        return Rows.of(1, database -> Database.pool(database.dataSource(line.port()), connections), how, Rows.taken(1));
    }
}
