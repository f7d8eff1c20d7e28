package dev.rowlock.counter;

import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import dev.rowlock.counter.Rules.Condition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Declares a {@link Counter}: bounds, conditions and limits. Bounds belong to the column named last, by {@link Counter#over} or
 * {@link #also}, and include the value itself.
 */
public final class CounterBuilder {
    static final int MOST_ROWS_OF_A_REQUEST = 100;
    private static final int MOST_COLUMNS = 16;
    private static final int MOST_WAITING = 100_000;
    private static final int MOST_IN_A_BATCH = 1_000;
    private static final int MOST_TRANSACTIONS = 64;
    private static final Duration LONGEST_TIMEOUT = Duration.ofHours(24);

    private final Rowlock rowlock;
    private final Table table;
    private final List<Column> columns = new ArrayList<>();
    private final List<Condition> conditions = new ArrayList<>();
    private boolean unbounded;
    private int queueLimit = 1_000;
    private int batchLimit = 250;
    private int maxTransactions = 2;
    private Duration timeout = Duration.ofSeconds(5);
    private Executor executor = Threads.SHARED;
    private CounterListener listener = CounterListener.NONE;

    CounterBuilder(Rowlock rowlock, Table table, String column) {
        this.rowlock = rowlock;
        this.table = table;
        name(column, 1);
    }

    private void name(String column, long factor) {
        if (table.key().contains(column) || column.equals(table.version())) {
            throw new IllegalArgumentException("counter over " + table + ": column " + column
                    + " is its key or version; name one that may change");
        }
        if (columns.stream().anyMatch(one -> one.name().equals(column))) {
            throw new IllegalArgumentException("counter over " + table + ": column " + column + " is named twice");
        }
        if (columns.size() == MOST_COLUMNS) {
            throw new IllegalArgumentException(
                    "counter over " + table + ": column " + column + " is one more than " + MOST_COLUMNS);
        }
        columns.add(new Column(column, factor, Long.MIN_VALUE, Long.MAX_VALUE, null, null));
    }

    /** What the column must not become less than. */
    public CounterBuilder min(long least) {
        return replace(last().withMin(least));
    }

    /** What the column must not become more than. */
    public CounterBuilder max(long most) {
        return replace(last().withMax(most));
    }

    /** The column of the same row whose value this one must not become less than; NULL sets no bound. */
    public CounterBuilder minColumn(String other) {
        Column last = last();
        return replace(new Column(last.name(), last.factor(), last.min(), last.max(), other, last.maxColumn()));
    }

    /** The column of the same row whose value this one must not become more than; NULL sets no bound. */
    public CounterBuilder maxColumn(String other) {
        Column last = last();
        return replace(new Column(last.name(), last.factor(), last.min(), last.max(), last.minColumn(), other));
    }

    /** Says that the counter's amount has no bounds but those of its type, which must not be forgotten by accident. */
    public CounterBuilder unbounded() {
        this.unbounded = true;
        return this;
    }

    /**
     * Another column that every change of the counter changes too, for example {@code also("reserved", -1)} with a counter over
     * {@code available}.
     *
     * @param factor by how much for each 1 that the counter changes by, from -1,000 to 1,000; not 0
     */
    public CounterBuilder also(String column, long factor) {
        if (factor == 0 || factor < -1_000 || factor > 1_000) {
            throw new IllegalArgumentException("counter over " + table + ": the factor of column " + column + " is "
                    + factor + "; it must be from -1000 to 1000 and not 0");
        }
        name(column, factor);
        return this;
    }

    /**
     * Changes a row only if this SQL condition on it is true (not NULL). May be called several times: all must hold. It must not
     * depend on what the counter changes, because it is asked once for all requests that are combined.
     *
     * @param condition SQL of the program, never of a user; {@code ?} for each value
     */
    public CounterBuilder onlyIf(String condition, @Nullable Object... values) {
        conditions.add(new Condition(condition, Collections.unmodifiableList(Arrays.asList(values.clone()))));
        return this;
    }

    /** How many requests may wait in this process: 1,000 by default, from 1 to 100,000. One more is refused at once. */
    public CounterBuilder queueLimit(int requests) {
        this.queueLimit = requests;
        return this;
    }

    /** How many requests one transaction carries out at most: 250 by default, from 1 (never combine) to 1,000. */
    public CounterBuilder batchLimit(int requests) {
        this.batchLimit = requests;
        return this;
    }

    /**
     * How many transactions of this counter run at once in this process, each with a connection: 2 by default, from 1 to 64: one
     * is worked on while the other one's commit is written. Who comes when there are as many waits in the queue. With callers spread
     * over many rows and a server with many processors, more can be faster.
     */
    public CounterBuilder maxTransactions(int transactions) {
        this.maxTransactions = transactions;
        return this;
    }

    /** How long a request may wait in the queue: 5 s by default, from 1 ms to 24 h. */
    public CounterBuilder timeout(Duration limit) {
        this.timeout = limit;
        return this;
    }

    /**
     * Who runs batches and what hangs on futures: daemon threads that all counters share, by default. It must have at least
     * {@link #maxTransactions} threads of its own; one of virtual threads fits.
     */
    public CounterBuilder executor(Executor executor) {
        this.executor = executor;
        return this;
    }

    /** Who hears what becomes of requests: nobody by default. */
    public CounterBuilder listener(CounterListener listener) {
        this.listener = listener;
        return this;
    }

    /**
     * Makes the counter. Does not connect yet; the columns are looked up with the first request.
     *
     * @throws IllegalArgumentException if a limit is out of range, a bound is missing or empty, or a condition depends on a column that
     *     the counter changes, naming it
     */
    public Counter build() {
        columns.forEach(this::check);
        if (!unbounded && !columns.get(0).hasBound()) {
            throw new IllegalArgumentException("counter over " + table + ": column "
                    + columns.get(0).name() + " has no bound; call min, max, minColumn, maxColumn or unbounded");
        }
        conditions.forEach(this::check);
        checkRange("queueLimit", queueLimit, MOST_WAITING);
        checkRange("batchLimit", batchLimit, MOST_IN_A_BATCH);
        checkRange("maxTransactions", maxTransactions, MOST_TRANSACTIONS);
        Rules rules = new Rules(table, List.copyOf(columns), List.copyOf(conditions));
        Combiner.Limits limits = new Combiner.Limits(
                queueLimit, batchLimit, Math.max(2 * batchLimit, MOST_ROWS_OF_A_REQUEST), maxTransactions);
        return new Counter(new Shared(rowlock, rules, limits, executor, listener), checkTimeout(timeout));
    }

    private void check(Column column) {
        if (column.min() > column.max()) {
            throw new IllegalArgumentException("counter over " + table + ": column " + column.name() + " has the min "
                    + column.min() + ", which is more than its max " + column.max());
        }
        for (String bound : column.boundColumns()) {
            if (columns.stream().anyMatch(one -> one.name().equals(bound))) {
                throw new IllegalArgumentException("counter over " + table + ": column " + bound + " bounds column "
                        + column.name() + " and is changed itself; only columns that stay can be bounds");
            }
        }
    }

    private void check(Condition condition) {
        for (Column column : columns) {
            if (Pattern.compile("(?<![\\w$])" + Pattern.quote(column.name()) + "(?![\\w$])", Pattern.CASE_INSENSITIVE)
                    .matcher(condition.sql())
                    .find()) {
                throw new IllegalArgumentException("counter over " + table + ": the condition \"" + condition.sql()
                        + "\" names column " + column.name()
                        + ", which the counter changes; say it by min, max, minColumn or maxColumn");
            }
        }
    }

    private static void checkRange(String what, int given, int most) {
        if (given < 1 || given > most) {
            throw new IllegalArgumentException(what + " is " + given + "; it must be from 1 to " + most);
        }
    }

    static Duration checkTimeout(Duration limit) {
        if (limit.compareTo(Duration.ofMillis(1)) < 0 || limit.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("timeout is " + limit + "; it must be from 1 ms to 24 h");
        }
        return limit;
    }

    private Column last() {
        return columns.get(columns.size() - 1);
    }

    private CounterBuilder replace(Column column) {
        columns.set(columns.size() - 1, column);
        return this;
    }
}
