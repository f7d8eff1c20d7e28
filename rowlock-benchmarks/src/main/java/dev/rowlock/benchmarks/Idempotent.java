package dev.rowlock.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.Rowlock;
import dev.rowlock.RowlockSchema;
import dev.rowlock.benchmarks.Comparison.Figure;
import dev.rowlock.once.Answer;
import dev.rowlock.once.Fingerprint;
import dev.rowlock.once.Once;
import dev.rowlock.once.OnceKey;
import dev.rowlock.once.OnceStatement;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** What a key costs a guarded write, and what a repeat costs. */
final class Idempotent implements Contest {
    private static final int ROWS = 10_000;
    private static final int CALLERS = 8;
    private static final String PLAIN = "guarded write without a key";
    private static final String KEYED = "guarded write with a key, one statement";
    private static final String REPLAY = "replay";
    private static final Fingerprint SAME = Fingerprint.of("take one");

    @Override
    public int number() {
        return 10;
    }

    @Override
    public String title() {
        return "Guarded write with an idempotency key, and its replay; 8 callers";
    }

    @Override
    public Result run(Bench bench) throws Exception {
        Rows.Check nothing = (database, operations) -> WrongResultException.require(
                database.number("SELECT sum(amount) FROM item") == ROWS * Rows.PLENTY - CALLERS,
                "a replay had an effect, or the first request had none");
        Rows.Check keyed = (database, operations) -> {
            Rows.taken(ROWS).of(database, operations);
            long keys = database.number("SELECT count(*) FROM rowlock_once");
            WrongResultException.require(keys == operations, operations + " requests left " + keys + " keys");
        };
        Map<String, List<Trial>> trials = bench.alternate(List.of(
                bench.entrant(PLAIN, CALLERS, Rows.of(ROWS, CALLERS, Idempotent::plain, Rows.taken(ROWS))),
                bench.entrant(KEYED, CALLERS, Rows.of(ROWS, CALLERS, Idempotent::keyed, keyed)),
                bench.entrant(REPLAY, CALLERS, Rows.of(ROWS, CALLERS, Idempotent::replay, nothing))));
        return new Result(
                number(),
                title(),
                trials,
                List.of(
                        Comparison.of(trials, KEYED, PLAIN, Figure.MEDIAN_TIME, 1.15, false),
                        Comparison.of(trials, REPLAY, PLAIN, Figure.MEDIAN_TIME, 1.0, false)),
                List.of("Once remembers the keys that it has answered (remember), so a replay is one read."));
    }

    private static Call.Factory plain(HikariDataSource pool) {
        Rowlock rowlock = Rows.rowlock(pool);
        return caller -> {
            SplittableRandom random = new SplittableRandom(caller);
            return () -> rowlock.update(HotRow.ITEMS, random.nextLong(1, ROWS + 1))
                    .add("amount", -1)
                    .onlyIf("amount >= ?", 1)
                    .apply()
                    .orThrow();
        };
    }

    private static Once once(HikariDataSource pool) {
        Rowlock rowlock = Rows.rowlock(pool);
        RowlockSchema.install(rowlock);
        return Once.builder(rowlock).remember(10_000).build();
    }

    private static OnceStatement take(long id) {
        return OnceStatement.of("""
                UPDATE item
                SET amount = amount - 1
                WHERE id = ? AND amount >= 1
                RETURNING 200 AS status, 'left ' || amount AS body""", id);
    }

    private static Answer refuse() {
        throw new IllegalStateException("nothing is left");
    }

    private static Call.Factory keyed(HikariDataSource pool) {
        Once once = once(pool);
        return caller -> {
            SplittableRandom random = new SplittableRandom(caller);
            long[] request = {0};
            return () -> once.run(
                    new OnceKey("shop", caller + "-" + ++request[0]),
                    SAME,
                    take(random.nextLong(1, ROWS + 1)),
                    tx -> refuse());
        };
    }

    private static Call.Factory replay(HikariDataSource pool) {
        Once once = once(pool);
        return caller -> {
            OnceKey key = new OnceKey("shop", "caller " + caller);
            once.run(key, SAME, take(caller + 1L), tx -> refuse());
            return () -> {
                if (!once.run(key, SAME, take(caller + 1L), tx -> refuse()).replayed()) {
                    throw new IllegalStateException("the request was not known any more");
                }
            };
        };
    }
}
