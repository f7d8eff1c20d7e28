package dev.rowlock.prover.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs the schedules of a race depth first and compares each outcome with those of the serial orders of the actors that did not
 * abort. Of schedules that differ only in the order of independent steps one is run; see {@link DepthFirst}. When the limits are
 * reached before all were run, some more are tried at random, and the verdict can no longer be {@link Verdict.Proved}.
 */
public final class Explorer {
    /** Of the schedules and of the time: what is kept for trying at random. */
    private static final int SHARE_FOR_RANDOM = 10;

    private static final long LEAST_AT_RANDOM = 50;

    private final RaceSpec race;
    private final Footprints footprints;
    private final Limits limits;
    private final Runner runner;
    private final Oracle oracle;
    private final Tally tally;
    private long runs;
    private final List<String> reasons = new ArrayList<>();

    /**
     * How far to go.
     *
     * @param maxSchedules no more than this many are run before it is tried at random
     * @param time no schedule is begun later than this after the first
     * @param step how long one step may take that waits for no other actor
     * @param allowDeadlocks whether a deadlock that reaches an actor's end is only counted
     * @param reduction whether schedules are left out that another one stands for
     * @param overlap whether writing statements are also stopped inside the server, between their snapshot and their first change
     */
    public record Limits(
            long maxSchedules,
            Duration time,
            Duration step,
            boolean allowDeadlocks,
            boolean reduction,
            boolean overlap) {
        /** With reduction. */
        public Limits(long maxSchedules, Duration time, Duration step, boolean allowDeadlocks) {
            this(maxSchedules, time, step, allowDeadlocks, true, false);
        }

        /** The same, but every schedule is run. */
        public Limits withoutReduction() {
            return new Limits(maxSchedules, time, step, allowDeadlocks, false, overlap);
        }

        /** The same, with statements overlapping inside the server. */
        public Limits withOverlap() {
            return new Limits(maxSchedules, time, step, allowDeadlocks, reduction, true);
        }
    }

    /** An explorer of one race; good for one exploration. */
    public Explorer(Control control, Footprints footprints, RaceSpec race, Limits limits) {
        this.race = race;
        this.footprints = footprints;
        this.limits = limits;
        if (limits.overlap()) {
            control.overlapStatements();
        }
        this.runner = new Runner(control, race, limits.step());
        this.oracle = new Oracle(control, race, runner);
        this.tally = new Tally(limits.allowDeadlocks());
    }

    /** Explores, and tells after each schedule. */
    public Report explore(Progress progress) {
        begin();
        long begin = System.nanoTime();
        try {
            if (!searchAll(begin, progress)) {
                tryAtRandom(begin, progress);
            }
            new Minimizer(race, runner, oracle).minimize(tally);
        } catch (UnexplorableException e) {
            reasons.add(String.valueOf(e.getMessage()));
        }
        return report();
    }

    /**
     * Runs one schedule; the verdict is never {@link Verdict.Proved}, and {@link Report#replayed} is what was run unless it could
     * not be run to its end.
     *
     * @param steps the names of the steps in order; behind the last one the actors go on in their order
     */
    public Report replay(List<String> steps) {
        begin();
        reasons.add("only the given schedule was run");
        Optional<Execution> run = Optional.empty();
        try {
            Replay replay = new Replay(steps);
            run = runner.run(race.programs(), replay);
            run.ifPresent(execution -> tally.add(execution, oracle.judge(execution)));
            if (!replay.isUsedUp()) {
                reasons.add("the actors ended before the given schedule did");
            }
        } catch (UnexplorableException e) {
            reasons.add(String.valueOf(e.getMessage()));
        }
        return report().withReplayed(run);
    }

    private void begin() {
        runner.reset();
        footprints.learn();
        race.programs().forEach(program -> program.foresee(footprints));
    }

    /** Whether every schedule was run or another stands for it. */
    private boolean searchAll(long begin, Progress progress) {
        Duration time = limits.time().minus(limits.time().dividedBy(SHARE_FOR_RANDOM));
        boolean more = true;
        while (more) {
            int generation = footprints.generation();
            DepthFirst search = new DepthFirst(race.name(), limits.reduction() ? footprints : null);
            tally.clear();
            reasons.clear();
            // What is left out is left out for a reason; when that no longer holds, all begins anew.
            while (more && (!limits.reduction() || generation == footprints.generation())) {
                if (tally.begun() >= limits.maxSchedules()) {
                    reasons.add("the budget of " + limits.maxSchedules() + " schedules is used up");
                    return false;
                }
                if (isOver(begin, time)) {
                    reasons.add("the time of " + limits.time().toSeconds() + " s is used up");
                    return false;
                }
                runOne(search, progress);
                more = search.advance();
            }
            more = limits.reduction() && generation != footprints.generation();
        }
        return true;
    }

    private void tryAtRandom(long begin, Progress progress) {
        long most = Math.max(LEAST_AT_RANDOM, limits.maxSchedules() / SHARE_FOR_RANDOM);
        int length = (int) tally.longest();
        for (long seed = 0; seed < most && !isOver(begin, limits.time()); seed++) {
            runOne(new Priorities(seed, length), progress);
        }
    }

    private static boolean isOver(long begin, Duration time) {
        return System.nanoTime() - begin > time.toNanos();
    }

    private void runOne(Controller.Chooser chooser, Progress progress) {
        Optional<Execution> execution = runner.run(race.programs(), chooser);
        if (execution.isPresent()) {
            execution.get().timedOut().ifPresent(this::dependsOnTheClock);
            tally.add(execution.get(), oracle.judge(execution.get()));
        } else {
            tally.addCutShort();
        }
        runs++;
        progress.ran(runs);
    }

    private void dependsOnTheClock(String step) {
        String reason = "step " + step + " was ended by a time-out, so what comes of it depends on the clock";
        if (!reasons.contains(reason)) {
            reasons.add(reason);
        }
    }

    private Report report() {
        boolean exhaustive = reasons.isEmpty();
        Verdict verdict = tally.worst()
                .<Verdict>map(bad -> Diagnosis.of(race, footprints, bad))
                .orElseGet(() -> exhaustive ? new Verdict.Proved() : new Verdict.Undecided(reasons));
        return tally.report(verdict, exhaustive);
    }
}
