package dev.rowlock.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What all contests share: the server, and how long and how often is measured. */
final class Bench {
    private final Database database;
    private final Plan plan;

    /**
     * How much is measured.
     *
     * @param repeats of each entrant, in turns
     * @param trial how long the clock runs
     * @param warmUp before it does
     * @param oldSnapshot how long another session keeps its snapshot before the clock runs, where that is the question
     */
    record Plan(int repeats, Duration trial, Duration warmUp, Duration oldSnapshot, boolean quick) {
        static final Plan FULL =
                new Plan(5, Duration.ofSeconds(4), Duration.ofMillis(1_500), Duration.ofSeconds(60), false);
        static final Plan QUICK =
                new Plan(5, Duration.ofMillis(600), Duration.ofMillis(300), Duration.ofSeconds(2), true);
    }

    Bench(Database database, Plan plan) {
        this.database = database;
        this.plan = plan;
    }

    Database database() {
        return database;
    }

    Plan plan() {
        return plan;
    }

    Entrant entrant(String name, int callers, Contender.Opener opener) {
        return new Entrant(name, callers, plan.warmUp(), opener);
    }

    /** One after the other, then all again: whatever else the machine does meanwhile meets all alike. */
    Map<String, List<Trial>> alternate(List<Entrant> entrants) throws Exception {
        Map<String, List<Trial>> trials = new LinkedHashMap<>();
        for (Entrant entrant : entrants) {
            // Code that has never run is slow, and whoever comes first would pay for what all use.
            Entrant brief = new Entrant(entrant.name(), entrant.callers(), plan.warmUp(), entrant.opener());
            Trial warm = new Runner(this).run(brief, plan.warmUp());
            if (warm.wrong() != null) {
                throw new WrongResultException(entrant.name() + ": " + warm.wrong());
            }
        }
        for (int i = 1; i <= plan.repeats(); i++) {
            for (Entrant entrant : entrants) {
                trials.computeIfAbsent(entrant.name(), none -> new ArrayList<>())
                        .add(new Runner(this).run(entrant, plan.trial()));
            }
        }
        return trials;
    }
}
