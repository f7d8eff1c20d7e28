package dev.rowlock.prover;

import dev.rowlock.prover.engine.Explorer;
import dev.rowlock.prover.engine.JavaRaceSpec;
import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.engine.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

/**
 * A race of your own code: actors that run at the same time, each in a thread of its own. The prover decides before every
 * statement, commit and rollback who goes next, runs every order that is possible or one that is known to come to the same, each
 * on the same data, and compares what came of it with what comes of running the actors one after the other.
 *
 * <pre>{@code
 * Race.on(database)
 *     .given("INSERT INTO wallet VALUES (1, 100)")
 *     .actor("A", () -> wallets.charge(1, 80))
 *     .actor("B", () -> wallets.charge(1, 80))
 *     .invariant("never below zero", "SELECT min(balance) >= 0 FROM wallet")
 *     .prove();
 * }</pre>
 *
 * <p>What an actor comes to is what it returns or throws, as text, so let it return what its caller would see, as a number, a
 * text or a record. An actor that ends with a {@link java.sql.SQLException}, also as a cause, counts as aborted: it must have left
 * no trace. Any other exception is an answer like a value.
 *
 * <p>Every statement of a batch is a step of its own, because on a server others can come between any two of them; what
 * {@code executeBatch} returns or throws is what the driver gives for the whole batch. In auto-commit mode the driver makes one
 * transaction of a batch, and its commit is a step behind. A batch that cannot be sent so makes the race undecided: one with
 * streams among its values, with {@code autosave}, or in auto-commit mode one of more than 200 statements or with anything but
 * INSERT, UPDATE, DELETE and MERGE without generated keys. So does a text of several statements of which more than one touches
 * data. A single statement is one step, however many rows it changes and whatever the functions do that it calls.
 *
 * <p>Only the rows of the database are brought back between two orders. What actors keep in memory, such as a cache or a counter, is
 * not; an actor that therefore does not do the same every time makes the race undecided. So does one that waits for something
 * outside the database, one that works on a connection which is not from {@link RaceDatabase#dataSource()}, and one that leaves a
 * transaction open. Actors must not change the schema.
 */
public final class Race {
    private static final Pattern ACTOR = Pattern.compile("[A-Za-z]([A-Za-z0-9_-]*[A-Za-z_-])?");
    private static final Pattern COLUMN = Pattern.compile("[^.]+\\.[^.]+");

    private final RaceDatabase database;
    private final List<String> given = new ArrayList<>();
    private final Map<String, Callable<?>> actors = new LinkedHashMap<>();
    private final Map<String, String> invariants = new LinkedHashMap<>();
    private final Set<String> ignored = new LinkedHashSet<>();
    private final Set<Class<? extends Throwable>> abortedBy = new LinkedHashSet<>();
    private String name = "race";
    private long maxSchedules = 10_000;
    private Duration timeout = Duration.ofMinutes(2);
    private Duration blockedAfter = Duration.ofSeconds(5);
    private boolean allowDeadlocks;
    private boolean valuesCount = true;
    private boolean reduction = true;

    /** What an actor does that returns nothing. */
    @FunctionalInterface
    public interface Action {
        /** Does it. */
        void run() throws Exception;
    }

    private Race(RaceDatabase database) {
        this.database = database;
    }

    /** A race in this database. Whatever rows it holds then are given, and are there again afterwards. */
    public static Race on(RaceDatabase database) {
        return new Race(database);
    }

    /** Gives it a name for messages and reports; the default is {@code race}. */
    public Race named(String text) {
        name = text;
        return this;
    }

    /** SQL that puts rows where every order begins; run once, in the order of the calls. */
    public Race given(String... sql) {
        given.addAll(List.of(sql));
        return this;
    }

    /**
     * An actor that returns something.
     *
     * @param actor its name, of letters, digits, hyphens and underscores, not ending in a digit; its steps are this name and a
     *     number
     * @throws IllegalArgumentException if the name is no such name, or taken
     */
    public Race actor(String actor, Callable<?> code) {
        if (!ACTOR.matcher(actor).matches()) {
            throw new IllegalArgumentException(
                    "an actor's name is letters, digits, - and _, with no digit at the end: " + actor);
        }
        if (actors.putIfAbsent(actor, code) != null) {
            throw new IllegalArgumentException("there is an actor " + actor + " already");
        }
        return this;
    }

    /** An actor that returns nothing; otherwise as {@link #actor(String, Callable)}. */
    public Race actor(String actor, Action code) {
        return actor(actor, () -> {
            code.run();
            return null;
        });
    }

    /**
     * What must hold after every order.
     *
     * @param text in words
     * @param query whose first column must be true
     */
    public Race invariant(String text, String query) {
        if (invariants.putIfAbsent(text, query) != null) {
            throw new IllegalArgumentException("there is an invariant \"" + text + "\" already");
        }
        return this;
    }

    /**
     * Leaves columns out whose values differ from run to run by nature.
     *
     * @param columns each as {@code table.column}
     */
    public Race ignoring(String... columns) {
        for (String column : columns) {
            if (!COLUMN.matcher(column).matches()) {
                throw new IllegalArgumentException("table.column is expected: " + column);
            }
            ignored.add(column);
        }
        return this;
    }

    /**
     * Exceptions, also as a cause, by which an actor says that it has done nothing and may begin anew, such as one that a version
     * was not the expected one. Such an actor must have left no trace, and is no answer that the other orders must have too.
     */
    public Race abortedBy(Class<? extends Throwable> exception) {
        abortedBy.add(exception);
        return this;
    }

    /** Leaves out what the actors return and throw: an outcome is how they ended and the final rows. */
    public Race observingDataOnly() {
        valuesCount = false;
        return this;
    }

    /** A deadlock that reaches an actor's caller is only counted. Without this, it makes the race violated. */
    public Race allowDeadlocks() {
        allowDeadlocks = true;
        return this;
    }

    /** Runs every order, even where another one that was run is known to come to the same. For comparison; it takes longer. */
    public Race withoutReduction() {
        reduction = false;
        return this;
    }

    /** No more orders than this are run; the default is 10,000. */
    public Race maxSchedules(long limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("at least one schedule must be allowed: " + limit);
        }
        maxSchedules = limit;
        return this;
    }

    /** No order is begun later than this after the first; the default is 2 minutes. */
    public Race timeout(Duration limit) {
        timeout = positive(limit);
        return this;
    }

    /**
     * How long an actor may take for a step while it waits for no other actor in the database, before it is said to be blocked;
     * the default is 5 seconds.
     */
    public Race blockedAfter(Duration limit) {
        blockedAfter = positive(limit);
        return this;
    }

    private static Duration positive(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("a limit is longer than nothing: " + limit);
        }
        return limit;
    }

    /**
     * Runs all orders and tells what came of it.
     *
     * @throws IllegalStateException if there are fewer than two actors, or another race is running on the database
     * @throws dev.rowlock.prover.engine.RaceException if the race cannot be run: what is given or an invariant is wrong, or the
     *     server does not answer
     */
    public Report explore() {
        return explored().report();
    }

    private RaceReport explored() {
        if (actors.size() < 2) {
            throw new IllegalStateException("a race has at least two actors: " + actors.keySet());
        }
        return database.explore(
                new JavaRaceSpec(name, given, actors, invariants, ignored, abortedBy, valuesCount),
                new Explorer.Limits(maxSchedules, timeout, blockedAfter, allowDeadlocks, reduction, false));
    }

    /**
     * Runs all orders; returns if every one is right.
     *
     * @throws NotProvedError if one is wrong, which is drawn in the message, or if the race could not be decided
     * @throws IllegalStateException as {@link #explore()}
     * @throws dev.rowlock.prover.engine.RaceException as {@link #explore()}
     */
    public void prove() {
        RaceReport found = explored();
        if (!(found.report().verdict() instanceof Verdict.Proved)) {
            throw new NotProvedError(found);
        }
    }
}
