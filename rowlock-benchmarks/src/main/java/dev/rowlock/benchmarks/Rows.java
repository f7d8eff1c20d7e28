package dev.rowlock.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.rowlock.Rowlock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Contenders over a table of rows with an amount: what they have in common. */
final class Rows implements Contender {
    /** Enough that a refusal is rare and a lost update is not hidden by one. */
    static final long PLENTY = 1_000_000_000;

    static final String TABLE = "item";

    private final HikariDataSource pool;
    private final Call.Factory calls;
    private final Check check;

    /** What else the data must show. */
    @FunctionalInterface
    interface Check {
        void of(Database database, long operations) throws Exception;
    }

    private final Database database;

    private Rows(Database database, HikariDataSource pool, Call.Factory calls, Check check) {
        this.database = database;
        this.pool = pool;
        this.calls = calls;
        this.check = check;
    }

    /** A fresh table, a pool, and what is done with it. */
    static Contender.Opener of(int rows, int poolSize, Function<HikariDataSource, Call.Factory> how, Check check) {
        return of(rows, database -> database.pool(poolSize), how, check);
    }

    static Contender.Opener of(
            int rows,
            Function<Database, HikariDataSource> connect,
            Function<HikariDataSource, Call.Factory> how,
            Check check) {
        return bench -> {
            fill(bench.database(), rows);
            HikariDataSource pool = connect.apply(bench.database());
            return new Rows(bench.database(), pool, how.apply(pool), check);
        };
    }

    static void fill(Database database, int rows) throws SQLException {
        database.run(
                "DROP TABLE IF EXISTS " + TABLE + ", rowlock_once",
                "CREATE TABLE " + TABLE + " (id bigint PRIMARY KEY, amount bigint NOT NULL,"
                        + " version bigint NOT NULL DEFAULT 1)",
                "INSERT INTO " + TABLE + " SELECT n, " + PLENTY + " FROM generate_series(1, " + rows + ") n",
                "VACUUM ANALYZE " + TABLE,
                "CHECKPOINT");
    }

    /** Each operation has taken one from some row. */
    static Check taken(int rows) {
        return (database, operations) -> {
            long left = database.number("SELECT sum(amount) FROM " + TABLE);
            long expected = rows * PLENTY - operations;
            WrongResultException.require(
                    left == expected, operations + " were taken and " + left + " is left, not " + expected);
        };
    }

    @Override
    public Call caller(int number) throws Exception {
        return calls.of(number);
    }

    @Override
    public void check(long operations) throws Exception {
        check.of(database, operations);
    }

    @Override
    public void close() {
        pool.close();
    }

    /** {@code SELECT … FOR UPDATE}, a decision in the program, {@code UPDATE}, {@code COMMIT}. */
    static Call.Factory forUpdateByHand(HikariDataSource pool, ToLongFunction<Integer> key) {
        return caller -> () -> {
            long id = key.applyAsLong(caller);
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                try {
                    long amount;
                    try (PreparedStatement select =
                            connection.prepareStatement("SELECT amount FROM item WHERE id = ? FOR UPDATE")) {
                        select.setLong(1, id);
                        try (ResultSet row = select.executeQuery()) {
                            row.next();
                            amount = row.getLong(1);
                        }
                    }
                    if (amount >= 1) {
                        try (PreparedStatement update =
                                connection.prepareStatement("UPDATE item SET amount = ? WHERE id = ?")) {
                            update.setLong(1, amount - 1);
                            update.setLong(2, id);
                            requireOne(update.executeUpdate());
                        }
                    }
                    connection.commit();
                } catch (SQLException | RuntimeException e) {
                    connection.rollback();
                    throw e;
                } finally {
                    connection.setAutoCommit(true);
                }
            }
        };
    }

    /** One {@code UPDATE} with the rule in its {@code WHERE}, committed by itself. */
    static Call.Factory guardedByHand(HikariDataSource pool, ToLongFunction<Integer> key) {
        return caller -> () -> {
            try (Connection connection = pool.getConnection();
                    PreparedStatement update = connection.prepareStatement(
                            "UPDATE item SET amount = amount - 1 WHERE id = ? AND amount >= 1 RETURNING amount")) {
                update.setLong(1, key.applyAsLong(caller));
                try (ResultSet row = update.executeQuery()) {
                    requireOne(row.next() ? 1 : 0);
                }
            }
        };
    }

    static void requireOne(int rows) throws SQLException {
        if (rows != 1) {
            throw new SQLException(rows + " rows were changed, not 1");
        }
    }

    static Rowlock rowlock(HikariDataSource pool) {
        return Rowlock.over(pool);
    }
}
