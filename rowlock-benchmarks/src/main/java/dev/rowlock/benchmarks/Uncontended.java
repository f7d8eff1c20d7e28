package dev.rowlock.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import dev.rowlock.benchmarks.Comparison.Figure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;

/** What the API costs where nobody is in the way: one caller, a row that nobody else wants, the same statements. */
final class Uncontended implements Contest {
    private static final int ROWS = 10_000;
    private static final Table ITEMS = HotRow.ITEMS;
    private static final Table VERSIONED = ITEMS.withVersion("version");

    @Override
    public int number() {
        return 5;
    }

    @Override
    public String title() {
        return "Nobody in the way: guarded write, versioned write, withLock";
    }

    @Override
    public Result run(Bench bench) throws Exception {
        Map<String, List<Trial>> trials = bench.alternate(List.of(
                entrant(bench, "update().onlyIf()", Uncontended::guarded),
                entrant(bench, "guarded UPDATE by hand", Uncontended::guardedByHand),
                entrant(bench, "update().ifVersion()", Uncontended::versioned),
                entrant(bench, "versioned UPDATE by hand", Uncontended::versionedByHand),
                entrant(bench, "withLock()", Uncontended::withLock),
                entrant(bench, "FOR NO KEY UPDATE by hand", Uncontended::lockedByHand)));
        List<Comparison> comparisons = new ArrayList<>();
        comparisons.add(compare(trials, "update().onlyIf()", "guarded UPDATE by hand"));
        comparisons.add(compare(trials, "update().ifVersion()", "versioned UPDATE by hand"));
        comparisons.add(compare(trials, "withLock()", "FOR NO KEY UPDATE by hand"));
        return new Result(
                number(),
                title(),
                trials,
                comparisons,
                List.of("Round trips are counted by RoundTripTest, on the wire."));
    }

    private static Comparison compare(Map<String, List<Trial>> trials, String ours, String theirs) {
        return Comparison.of(trials, ours, theirs, Figure.MEDIAN_TIME, 1.03, false);
    }

    private static Entrant entrant(Bench bench, String name, Function<HikariDataSource, Call> how) {
        return bench.entrant(name, 1, Rows.of(ROWS, 1, pool -> caller -> how.apply(pool), Rows.taken(ROWS)));
    }

    private static Call guarded(HikariDataSource pool) {
        Rowlock rowlock = Rows.rowlock(pool);
        SplittableRandom random = new SplittableRandom(1);
        return () -> rowlock.update(ITEMS, id(random))
                .add("amount", -1)
                .onlyIf("amount >= ?", 1)
                .apply()
                .orThrow();
    }

    private static Call guardedByHand(HikariDataSource pool) {
        SplittableRandom random = new SplittableRandom(1);
        return () -> one(
                pool,
                "UPDATE item SET amount = amount + ? WHERE id = ? AND (amount >= ?) RETURNING *",
                -1,
                id(random),
                1);
    }

    private static Call versioned(HikariDataSource pool) {
        Rowlock rowlock = Rows.rowlock(pool);
        SplittableRandom random = new SplittableRandom(1);
        long[] versions = new long[ROWS + 1];
        return () -> {
            long id = id(random);
            rowlock.update(VERSIONED, id)
                    .add("amount", -1)
                    .ifVersion(++versions[(int) id])
                    .apply()
                    .orThrow();
        };
    }

    private static Call versionedByHand(HikariDataSource pool) {
        SplittableRandom random = new SplittableRandom(1);
        long[] versions = new long[ROWS + 1];
        return () -> {
            long id = id(random);
            one(
                    pool,
                    "UPDATE item SET amount = amount + ?, version = version + 1 WHERE id = ? AND version = ? RETURNING *",
                    -1,
                    id,
                    ++versions[(int) id]);
        };
    }

    private static void one(HikariDataSource pool, String sql, long... values) throws Exception {
        try (Connection connection = pool.getConnection();
                PreparedStatement update = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                update.setLong(i + 1, values[i]);
            }
            try (ResultSet row = update.executeQuery()) {
                Rows.requireOne(row.next() ? 1 : 0);
            }
        }
    }

    private static Call withLock(HikariDataSource pool) {
        Rowlock rowlock = Rows.rowlock(pool);
        SplittableRandom random = new SplittableRandom(1);
        return () -> {
            long id = id(random);
            rowlock.runWithLock(
                    ITEMS,
                    id,
                    (tx, row) -> tx.update(ITEMS, id)
                            .set("amount", row.getLong("amount") - 1)
                            .apply()
                            .orThrow());
        };
    }

    private static Call lockedByHand(HikariDataSource pool) {
        SplittableRandom random = new SplittableRandom(1);
        return () -> {
            long id = id(random);
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                try (PreparedStatement select =
                                connection.prepareStatement("SELECT * FROM item WHERE id = ? FOR NO KEY UPDATE");
                        PreparedStatement update =
                                connection.prepareStatement("UPDATE item SET amount = ? WHERE id = ? RETURNING *")) {
                    select.setLong(1, id);
                    long amount;
                    try (ResultSet row = select.executeQuery()) {
                        row.next();
                        amount = row.getLong("amount");
                    }
                    update.setLong(1, amount - 1);
                    update.setLong(2, id);
                    try (ResultSet row = update.executeQuery()) {
                        Rows.requireOne(row.next() ? 1 : 0);
                    }
                    connection.commit();
                } finally {
                    connection.setAutoCommit(true);
                }
            }
        };
    }

    private static long id(SplittableRandom random) {
        return random.nextInt(1, ROWS + 1);
    }
}
