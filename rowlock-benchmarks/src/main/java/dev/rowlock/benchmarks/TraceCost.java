package dev.rowlock.benchmarks;

import com.p6spy.engine.spy.P6DataSource;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.Rowlock;
import dev.rowlock.benchmarks.Comparison.Figure;
import dev.rowlock.watch.trace.Trace;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;

/** What it costs to see every statement, where each transaction locks a row, writes it and commits. */
final class TraceCost implements Contest {
    private static final int ROWS = 10_000;
    private static final int CALLERS = 8;
    private static final String OFF = "off";
    private static final String TRACE = "SQL trace";
    private static final String NO_CALLERS = "SQL trace without callers";
    private static final String PROXY = "datasource-proxy";
    private static final String P6SPY = "p6spy";

    @Override
    public int number() {
        return 12;
    }

    @Override
    public String title() {
        return "SQL trace on and off; 8 callers, a lock, a write and a commit each";
    }

    @Override
    public Result run(Bench bench) throws Exception {
        // It would write a file of its own.
        System.setProperty("p6spy.config.appender", "com.p6spy.engine.spy.appender.Slf4JLogger");
        Map<String, List<Trial>> trials = bench.alternate(List.of(
                entrant(bench, OFF, source -> source),
                entrant(bench, TRACE, source -> Trace.builder().build().over(source)),
                entrant(
                        bench,
                        NO_CALLERS,
                        source -> Trace.builder().withoutCallers().build().over(source)),
                entrant(
                        bench,
                        PROXY,
                        source -> ProxyDataSourceBuilder.create(source).build()),
                entrant(bench, P6SPY, P6DataSource::new)));
        return new Result(
                number(),
                title(),
                trials,
                List.of(
                        Comparison.of(trials, TRACE, OFF, Figure.THROUGHPUT, 0.98, true),
                        Comparison.of(trials, NO_CALLERS, OFF, Figure.THROUGHPUT, 0.98, true),
                        Comparison.of(trials, PROXY, OFF, Figure.THROUGHPUT, 0.98, true),
                        Comparison.of(trials, P6SPY, OFF, Figure.THROUGHPUT, 0.98, true)),
                List.of("The trace stands on datasource-proxy, which alone is one of the others."));
    }

    private static Entrant entrant(Bench bench, String name, UnaryOperator<DataSource> watched) {
        return bench.entrant(
                name,
                CALLERS,
                Rows.of(
                        ROWS,
                        database -> pool(watched.apply(database.dataSource())),
                        TraceCost::withLock,
                        Rows.taken(ROWS)));
    }

    private static HikariDataSource pool(DataSource source) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(CALLERS);
        return new HikariDataSource(config);
    }

    private static Call.Factory withLock(HikariDataSource pool) {
        Rowlock rowlock = Rows.rowlock(pool);
        return caller -> {
            SplittableRandom random = new SplittableRandom(caller);
            return () -> {
                long id = random.nextLong(1, ROWS + 1);
                rowlock.runWithLock(
                        HotRow.ITEMS,
                        id,
                        (tx, row) -> tx.update(HotRow.ITEMS, id)
                                .set("amount", row.getLong("amount") - 1)
                                .apply()
                                .orThrow());
            };
        };
    }
}
