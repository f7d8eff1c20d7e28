package dev.rowlock.counter;

import dev.rowlock.Key;
import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import dev.rowlock.Tx;
import dev.rowlock.counter.NotBegunException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An amount in a column that must stay within bounds whoever changes it: stock, a balance, a quota, seats. Immutable and
 * thread-safe; make one per column and keep it.
 *
 * <pre>{@code
 * Counter stock = Counter.over(rowlock, Table.of("product", "id"), "stock").min(0).build();
 *
 * Change change = stock.add(7, -2);              // Applied(the new amount), Refused(the amount) or Missing
 * Changes moved = stock.transfer(7, 8, 5);       // both rows or none
 * }</pre>
 *
 * <p><b>Alone</b> on its row, a change is one guarded statement, sent at once, in one round trip. <b>When callers pile up</b> on a
 * row, those who come while somebody is at it wait in a queue, and once the row is free the next transaction carries out all of
 * them: it decides each request in the order of arrival, writes each row once, commits once, and only then each caller gets the
 * answer that fits its place in that order. Nobody waits for a batch to fill. Requests on several rows lock in key order.
 *
 * <p><b>Other instances and other programs</b> may change the same rows at any time: every decision is made under the row's lock or
 * by a guarded statement, the queue in this process only saves transactions. A row that another transaction holds keeps only those
 * who want that row.
 *
 * <p><b>Inside an open unit of work</b> of the same {@link Rowlock} and thread, the methods without a stage take part in it: nothing
 * is combined, and the answer is as durable as that transaction becomes. {@link #addIn} and {@link #addAllIn} say so explicitly.
 *
 * <p><b>Errors.</b> Everything that {@link Rowlock#call} and {@link Rowlock#update} throw, and {@link NotBegunException}. A request
 * that breaks a constraint fails alone, those combined with it are carried out without it. If the connection breaks in the commit of
 * a batch, each of its callers is told what became of it, as {@link Rowlock#call} finds out; they may be thrown the same exception.
 * A single statement whose answer is lost is a {@link dev.rowlock.CommitUnknownException}. Conflicts with others (40001, 40P01) are
 * tried again.
 *
 * <p><b>Waiting.</b> In the queue a caller waits up to its time-out and can be interrupted or cancelled; then nothing was done for
 * certain. Once a request is begun, its answer is waited for, which the limits of the {@link Rowlock} bound; an interrupt is kept
 * for later.
 *
 * <p>An amount that is out of bounds already can only be changed to one within them. A NULL amount is an
 * {@link IllegalStateException}. Triggers that change the amount themselves make the answers of combined requests wrong.
 */
public final class Counter {
    private final Shared shared;
    private final Duration timeout;

    Counter(Shared shared, Duration timeout) {
        this.shared = shared;
        this.timeout = timeout;
    }

    /** Begins a counter over a column of whole numbers: {@code smallint}, {@code integer}, {@code bigint} or {@code numeric(n, 0)}. */
    public static CounterBuilder over(Rowlock rowlock, Table table, String column) {
        return new CounterBuilder(rowlock, table, column);
    }

    /**
     * The same counter, with another time that its callers wait in the queue at most.
     *
     * @param limit from 1 ms to 24 h
     */
    public Counter withTimeout(Duration limit) {
        return new Counter(shared, CounterBuilder.checkTimeout(limit));
    }

    /**
     * Changes the amount of one row.
     *
     * @param key a {@code long}, {@code int}, {@link java.util.UUID}, {@link String} or {@link Key}
     * @param delta what to add, less than 0 to take; not 0
     */
    public Change add(Object key, long delta) {
        return single(carryOut(Map.of(key, delta)));
    }

    /**
     * Moves an amount from one row to another: both are changed or none.
     *
     * @param amount from 1
     * @throws IllegalArgumentException if both rows are the same, or the amount is less than 1
     */
    public Changes transfer(Object from, Object to, long amount) {
        return carryOut(moves(from, to, amount));
    }

    /**
     * Changes several rows: all of them or none.
     *
     * @param deltas what to add, by key; in this order the answer names them
     */
    public Changes addAll(Map<?, Long> deltas) {
        return carryOut(deltas);
    }

    /** As {@link #add}, without a thread that waits; see {@link #addAllAsync}. */
    public CompletableFuture<Change> addAsync(Object key, long delta) {
        return begin(Map.of(key, delta), Counter::single);
    }

    /** As {@link #transfer}, without a thread that waits; see {@link #addAllAsync}. */
    public CompletableFuture<Changes> transferAsync(Object from, Object to, long amount) {
        return begin(moves(from, to, amount), changes -> changes);
    }

    /**
     * As {@link #addAll}, without a thread that waits, and always in a transaction of its own. Cancelling the future takes the
     * request out of the queue; if it was begun already it is not cancelled, and the answer comes. What hangs on the future runs in
     * the counter's executor: use the methods that end in {@code Async} for what takes long.
     *
     * @return ends with what {@link #addAll} would return or throw
     */
    public CompletableFuture<Changes> addAllAsync(Map<?, Long> deltas) {
        return begin(deltas, changes -> changes);
    }

    /** Changes the amount of one row in the given transaction, by one guarded statement. */
    public Change addIn(Tx tx, Object key, long delta) {
        Rules rules = shared.rules(tx);
        Request.Part part = parts(rules, Map.of(key, delta)).get(0);
        Change change = new GuardedChange(rules, part)
                .apply(tx.update(rules.table(), part.key()))
                .orElseGet(() -> single(allIn(tx, rules, List.of(part))));
        shared.listener().carriedOut(CounterListener.Result.of(GuardedChange.asChanges(change)));
        return change;
    }

    /**
     * Changes several rows in the given transaction: all of them or none. Locks them in key order in one statement and writes them in
     * another. If it is not {@link Changes.Applied}, the rows stay locked but as they are.
     */
    public Changes addAllIn(Tx tx, Map<?, Long> deltas) {
        Rules rules = shared.rules(tx);
        Changes changes = allIn(tx, rules, parts(rules, deltas));
        shared.listener().carriedOut(CounterListener.Result.of(changes));
        return changes;
    }

    /** What this counter is doing in this process now, with all that {@link #withTimeout} made of it. */
    public CounterStats stats() {
        return shared.combiner().stats();
    }

    private static Changes allIn(Tx tx, Rules rules, List<Request.Part> parts) {
        return answered(new Decision(rules, tx)
                .oneByOne(List.of(new Request(parts, false, 0)), true)
                .get(0));
    }

    private Changes carryOut(Map<?, Long> deltas) {
        Rules rules = shared.rules();
        Request request = new Request(parts(rules, deltas), false, deadline());
        if (shared.rowlock().isInUnitOfWork()) {
            return answered(shared.run(List.of(request)).get(0));
        }
        try {
            if (shared.combiner().enter(request)) {
                return answered(shared.combiner().runAlone(request));
            }
            return await(request);
        } catch (NotBegunException e) {
            shared.listener().notBegun(e);
            throw e;
        }
    }

    private Changes await(Request request) {
        try {
            return request.answer().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            if (shared.combiner().withdraw(request)) {
                throw Combiner.timedOut(request);
            }
        } catch (InterruptedException e) {
            boolean notBegun = shared.combiner().withdraw(request);
            Thread.currentThread().interrupt();
            if (notBegun) {
                throw new NotBegunException(
                        Reason.INTERRUPTED, "the change " + request + " was not begun: its thread was interrupted", e);
            }
        } catch (ExecutionException e) {
            throw unwrapped(e.getCause());
        }
        return awaitOutcome(request);
    }

    /** It is under way, so only its outcome can tell; the limits of the transaction end this. */
    private static Changes awaitOutcome(Request request) {
        try {
            return request.answer().join();
        } catch (CompletionException e) {
            throw unwrapped(e.getCause());
        }
    }

    private static RuntimeException unwrapped(@Nullable Throwable error) {
        if (error instanceof RuntimeException known) {
            return known;
        }
        if (error instanceof Error fatal) {
            throw fatal;
        }
        return new IllegalStateException(error);
    }

    private <T> CompletableFuture<T> begin(Map<?, Long> deltas, Function<Changes, T> view) {
        Request request = new Request(parts(shared.rules(), deltas), true, deadline());
        var unused = request.answer().whenComplete((changes, error) -> {
            if (error instanceof NotBegunException notBegun) {
                shared.listener().notBegun(notBegun);
            }
        });
        Stage<T> stage = new Stage<>(shared.combiner(), request, view);
        try {
            shared.combiner().enterAsync(request);
        } catch (NotBegunException e) {
            shared.listener().notBegun(e);
            throw e;
        }
        return stage;
    }

    private long deadline() {
        return System.nanoTime() + timeout.toNanos();
    }

    private static Map<Object, Long> moves(Object from, Object to, long amount) {
        if (amount < 1) {
            throw new IllegalArgumentException("a transfer of " + amount + "; it must be at least 1");
        }
        Map<Object, Long> moves = new LinkedHashMap<>();
        moves.put(from, -amount);
        if (moves.put(to, amount) != null) {
            throw new IllegalArgumentException("a transfer from row " + from + " to itself");
        }
        return moves;
    }

    private static List<Request.Part> parts(Rules rules, Map<?, Long> deltas) {
        if (deltas.isEmpty() || deltas.size() > CounterBuilder.MOST_ROWS_OF_A_REQUEST) {
            throw new IllegalArgumentException("a request changes from 1 to " + CounterBuilder.MOST_ROWS_OF_A_REQUEST
                    + " rows, not " + deltas.size());
        }
        List<Request.Part> parts = new ArrayList<>();
        deltas.forEach((given, delta) -> {
            Key key = rules.checkKey(given instanceof Key whole ? whole : Key.of(given));
            if (parts.stream().anyMatch(part -> part.key().equals(key))) {
                throw new IllegalArgumentException("row " + key + " of " + rules.table() + " is given twice");
            }
            parts.add(new Request.Part(key, rules.checkDelta(key, delta)));
        });
        return parts;
    }

    private static Changes answered(Outcome outcome) {
        if (outcome.answer() != null) {
            return outcome.answer();
        }
        throw unwrapped(outcome.error());
    }

    private static Change single(Changes changes) {
        if (changes instanceof Changes.Applied applied) {
            return applied.rows().get(0);
        }
        if (changes instanceof Changes.Refused refused) {
            return refused.rows().get(0);
        }
        return ((Changes.Missing) changes).rows().get(0);
    }
}
