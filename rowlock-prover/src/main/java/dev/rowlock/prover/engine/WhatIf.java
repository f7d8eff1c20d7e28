package dev.rowlock.prover.engine;

import dev.rowlock.prover.engine.Remedy.Impossible;
import dev.rowlock.prover.engine.Remedy.Tried;
import dev.rowlock.prover.scenario.IsolationLevel;
import dev.rowlock.prover.scenario.Scenario;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Tries the cheap remedies against a race on the race itself: a higher isolation level for all transactions, and a row lock on
 * each plain read of what some session writes. Each is explored like the scenario, so that it is known whether it helps and what
 * it costs.
 *
 * <pre>{@code
 * List<Remedy> remedies = new WhatIf(database, "race", limits).remedies(scenario, Optional.empty(), violated, name -> n -> {});
 * }</pre>
 */
public final class WhatIf {
    /** With more reads than this each alone is not tried: nobody would read the list. */
    private static final int MOST_ALONE = 3;
    /** The weakest first: of two that cost the same it is the better one. */
    private static final List<String> LOCKS = List.of("FOR SHARE", "FOR NO KEY UPDATE", "FOR UPDATE");

    private static final List<IsolationLevel> LEVELS =
            List.of(IsolationLevel.REPEATABLE_READ, IsolationLevel.SERIALIZABLE);

    private static final Comparator<Remedy> BEST_FIRST = Comparator.comparingInt(WhatIf::rank)
            .thenComparingDouble(remedy -> share(remedy, Report::deadlocks))
            .thenComparingDouble(remedy -> share(remedy, Report::aborted))
            .thenComparingDouble(remedy -> share(remedy, Report::waits));

    private final ScenarioRace.Database database;
    private final String schema;
    private final Explorer.Limits limits;

    /**
     * @param schema as for {@link ScenarioRace}; no race may use it meanwhile
     * @param limits of each single exploration
     */
    public WhatIf(ScenarioRace.Database database, String schema, Explorer.Limits limits) {
        this.database = database;
        this.schema = schema;
        this.limits = limits;
    }

    /**
     * Tries all remedies.
     *
     * @param override the level at which the scenario was violated, if not as it says itself; locks are tried at it too
     * @param violated what the scenario came to
     * @param progress asked for before each exploration, with the remedy's name
     * @return the best first: proved before undecided before violated before impossible; among those with the same verdict the one
     *     with a smaller share of schedules with deadlocks, then with aborted sessions, then with waits, then the weaker lock
     */
    public List<Remedy> remedies(
            Scenario scenario,
            Optional<IsolationLevel> override,
            Verdict.Violated violated,
            Function<String, Progress> progress)
            throws SQLException {
        List<Remedy> all = new ArrayList<>(locks(scenario, override, violated, progress));
        for (IsolationLevel level : LEVELS) {
            if (!override.equals(Optional.of(level))) {
                all.add(explore(level.sql(), scenario, Optional.of(level), progress));
            }
        }
        all.sort(BEST_FIRST);
        return List.copyOf(all);
    }

    private List<Remedy> locks(
            Scenario scenario,
            Optional<IsolationLevel> override,
            Verdict.Violated violated,
            Function<String, Progress> progress)
            throws SQLException {
        PlainReads reads = reads(scenario, override, violated);
        List<Remedy> all = new ArrayList<>();
        if (!reads.lockable().isEmpty()) {
            for (String lock : LOCKS) {
                all.add(lock(lock, "", scenario, reads.lockable(), override, progress));
            }
            boolean severalButFew =
                    reads.lockable().size() > 1 && reads.lockable().size() <= MOST_ALONE;
            Remedy best = all.stream().min(BEST_FIRST).orElseThrow();
            if (severalButFew && best instanceof Tried tried && tried.report().verdict() instanceof Verdict.Proved) {
                String lock = LOCKS.get(all.indexOf(best));
                for (PlainRead read : reads.lockable()) {
                    all.add(lock(lock, " alone", scenario, List.of(read), override, progress));
                }
            }
        }
        if (!reads.refused().isEmpty()) {
            all.add(new Impossible("a row lock on " + names(reads.refused()), reads.reasons()));
        }
        if (all.isEmpty()) {
            all.add(new Impossible("a row lock on reads", List.of(whyNone(reads.unclear()))));
        }
        return all;
    }

    private static String whyNone(List<String> unclear) {
        return unclear.isEmpty()
                ? "no session reads what a session writes without locking it already"
                : "which reads they would be is not known, nor what these steps touch: " + String.join(", ", unclear);
    }

    private PlainReads reads(Scenario scenario, Optional<IsolationLevel> override, Verdict.Violated violated)
            throws SQLException {
        PlainReads found;
        try (ScenarioRace race = new ScenarioRace(scenario, database, schema, override);
                Connection probe = database.connect(schema)) {
            found = PlainReads.find(scenario, race, probe, violated.execution(), limits);
        }
        boolean settled = false;
        // What is behind a read that fails was not run, so it is looked at again without that one.
        while (!settled && !found.lockable().isEmpty()) {
            PlainReads before = found;
            Scenario locked = PlainRead.lock(scenario, before.lockable(), PlainReads.ANY_CLAUSE);
            try (ScenarioRace race = new ScenarioRace(locked, database, schema, override)) {
                found = before.runnable(locked, race, limits);
            }
            settled = found.equals(before);
        }
        return found;
    }

    private Remedy lock(
            String lock,
            String alone,
            Scenario scenario,
            List<PlainRead> reads,
            Optional<IsolationLevel> override,
            Function<String, Progress> progress)
            throws SQLException {
        String name = lock + " on " + names(reads) + alone;
        return explore(name, PlainRead.lock(scenario, reads, lock), override, progress);
    }

    private static String names(List<PlainRead> reads) {
        return reads.stream().map(PlainRead::step).distinct().collect(Collectors.joining(", "));
    }

    private Remedy explore(
            String name, Scenario scenario, Optional<IsolationLevel> level, Function<String, Progress> progress)
            throws SQLException {
        try (ScenarioRace race = new ScenarioRace(scenario, database, schema, level)) {
            return new Tried(name, race.explore(limits, progress.apply(name)));
        } catch (RaceException e) {
            Verdict undecided = new Verdict.Undecided(List.of(String.valueOf(e.getMessage())));
            return new Tried(name, new Tally(limits.allowDeadlocks()).report(undecided, false));
        }
    }

    private static int rank(Remedy remedy) {
        if (!(remedy instanceof Tried tried)) {
            return 3;
        }
        Verdict verdict = tried.report().verdict();
        return verdict instanceof Verdict.Proved ? 0 : verdict instanceof Verdict.Undecided ? 1 : 2;
    }

    /** Of two remedies one may have fewer schedules at all, so numbers of them cannot be compared. */
    private static double share(Remedy remedy, ToLongFunction<Report> count) {
        return remedy instanceof Tried tried && tried.report().schedules() > 0
                ? (double) count.applyAsLong(tried.report()) / tried.report().schedules()
                : 0;
    }
}
