package dev.rowlock.benchmarks;

import dev.rowlock.benchmarks.Comparison.Figure;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The hot row while some report keeps an old snapshot, so that no dead version of the row can be cleaned away. */
final class HotRowOldSnapshot implements Contest {
    private static final int CALLERS = 64;
    private static final String CLEAN = "Counter, clean";
    private static final String HELD = "Counter, at the end of a long snapshot";
    private static final String GUARDED = "guarded UPDATE by hand, at its end";

    @Override
    public int number() {
        return 3;
    }

    @Override
    public String title() {
        return "The same row while another session holds a snapshot";
    }

    @Override
    public Result run(Bench bench) throws Exception {
        Duration held = bench.plan().oldSnapshot();
        Map<String, List<Trial>> trials = bench.alternate(List.of(
                bench.entrant(CLEAN, CALLERS, HotRow.counter()),
                new Entrant(HELD, CALLERS, held, OldSnapshot.beside(HotRow.counter())),
                new Entrant(GUARDED, CALLERS, held, OldSnapshot.beside(HotRow.guarded()))));
        return new Result(
                number(),
                title(),
                trials,
                List.of(
                        Comparison.of(trials, HELD, CLEAN, Figure.THROUGHPUT, 0.9, true),
                        Comparison.of(trials, HELD, GUARDED, Figure.THROUGHPUT, 30, true)),
                List.of("The snapshot is " + held.toSeconds() + " s old when the clock starts."));
    }

    /** A contender beside whom a session keeps the snapshot of the beginning. */
    record OldSnapshot(Contender inner, Connection session) implements Contender {
        static Opener beside(Opener opener) {
            return bench -> {
                Contender inner = opener.open(bench);
                Connection session = bench.database().dataSource().getConnection();
                session.setAutoCommit(false);
                session.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                try (var statement = session.createStatement()) {
                    statement.execute("SELECT count(*) FROM pg_class");
                }
                return new OldSnapshot(inner, session);
            };
        }

        @Override
        public Call caller(int number) throws Exception {
            return inner.caller(number);
        }

        @Override
        public void check(long operations) throws Exception {
            inner.check(operations);
        }

        @Override
        public void close() throws Exception {
            try (inner) {
                session.close();
            }
        }
    }
}
