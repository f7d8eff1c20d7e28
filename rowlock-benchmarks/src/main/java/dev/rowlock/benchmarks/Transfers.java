package dev.rowlock.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.benchmarks.Comparison.Figure;
import dev.rowlock.counter.Counter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Money between accounts, a few of which are in most transfers. */
final class Transfers implements Contest {
    private static final int ACCOUNTS = 100_000;
    private static final int CALLERS = 64;
    private static final Zipf ZIPF = new Zipf(ACCOUNTS);
    private static final String OURS = "Counter.transfer";
    private static final String BY_HAND = "FOR UPDATE in key order by hand";

    @Override
    public int number() {
        return 4;
    }

    @Override
    public String title() {
        return "Transfers between 100,000 accounts, Zipf 1.0, 64 callers";
    }

    @Override
    public Result run(Bench bench) throws Exception {
        Rows.Check conserved = (database, operations) -> {
            long sum = database.number("SELECT sum(amount) FROM item");
            WrongResultException.require(sum == ACCOUNTS * Rows.PLENTY, "money was made or lost: " + sum);
            WrongResultException.require(
                    operations == 0 || database.number("SELECT count(*) FROM item WHERE amount <> " + Rows.PLENTY) > 0,
                    operations + " transfers moved nothing");
        };
        Map<String, List<Trial>> trials = bench.alternate(List.of(
                bench.entrant(OURS, CALLERS, Rows.of(ACCOUNTS, HotRow.POOL, Transfers::counter, conserved)),
                bench.entrant(BY_HAND, CALLERS, Rows.of(ACCOUNTS, HotRow.POOL, Transfers::byHand, conserved))));
        return new Result(
                number(),
                title(),
                trials,
                List.of(Comparison.of(trials, OURS, BY_HAND, Figure.THROUGHPUT, 5, true)),
                List.of("Each has " + HotRow.POOL + " connections."));
    }

    private static Call.Factory counter(HikariDataSource pool) {
        Counter counter =
                Counter.over(Rows.rowlock(pool), HotRow.ITEMS, "amount").min(0).build();
        return caller -> {
            SplittableRandom random = new SplittableRandom(caller);
            return () -> {
                long[] pair = pair(random);
                counter.transfer(pair[0], pair[1], 1).orThrow();
            };
        };
    }

    private static long[] pair(SplittableRandom random) {
        long from = ZIPF.next(random);
        long to = ZIPF.next(random);
        while (to == from) {
            to = ZIPF.next(random);
        }
        return new long[] {from, to};
    }

    private static Call.Factory byHand(HikariDataSource pool) {
        return caller -> {
            SplittableRandom random = new SplittableRandom(caller);
            return () -> {
                long[] pair = pair(random);
                try (Connection connection = pool.getConnection()) {
                    connection.setAutoCommit(false);
                    try {
                        move(connection, pair[0], pair[1]);
                        connection.commit();
                    } catch (SQLException | RuntimeException e) {
                        connection.rollback();
                        throw e;
                    } finally {
                        connection.setAutoCommit(true);
                    }
                }
            };
        };
    }

    private static void move(Connection connection, long from, long to) throws SQLException {
        long left = 0;
        try (PreparedStatement select =
                connection.prepareStatement("SELECT id, amount FROM item WHERE id IN (?, ?) ORDER BY id FOR UPDATE")) {
            select.setLong(1, from);
            select.setLong(2, to);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    left = row.getLong(1) == from ? row.getLong(2) : left;
                }
            }
        }
        if (left < 1) {
            throw new SQLException("account " + from + " is empty");
        }
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE item SET amount = amount + ? WHERE id = ?")) {
            update.setLong(1, -1);
            update.setLong(2, from);
            Rows.requireOne(update.executeUpdate());
            update.setLong(1, 1);
            update.setLong(2, to);
            Rows.requireOne(update.executeUpdate());
        }
    }
}
