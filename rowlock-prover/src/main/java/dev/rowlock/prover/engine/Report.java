package dev.rowlock.prover.engine;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * All that was found out about a race.
 *
 * @param verdict what it came to
 * @param schedules how many were run to their end
 * @param cutShort how many were begun and ended when it was known that they lead to where another has been
 * @param interleavings how many ways there are to interleave the actors' steps, possible or not; empty where actors try again and
 *     the number is not known beforehand
 * @param exhaustive whether all possible schedules were run
 * @param violating schedules with an outcome that no serial order has, or a broken invariant
 * @param aborted schedules in which at least one actor ended by 40001 or 40P01
 * @param deadlocks schedules in which at least one actor ended by 40P01
 * @param waits schedules in which at least one step had to wait for another actor
 * @param outcomes each distinct one, most frequent first
 * @param replayed the one schedule that was run, where only one was asked for
 */
public record Report(
        Verdict verdict,
        long schedules,
        long cutShort,
        Optional<BigInteger> interleavings,
        boolean exhaustive,
        long violating,
        long aborted,
        long deadlocks,
        long waits,
        List<Counted> outcomes,
        Optional<Execution> replayed) {
    public Report {
        outcomes = List.copyOf(outcomes);
    }

    /** Of a race of which no schedule could be run. */
    static Report notRun(List<String> reasons) {
        return new Report(
                new Verdict.Undecided(reasons), 0, 0, Optional.empty(), false, 0, 0, 0, 0, List.of(), Optional.empty());
    }

    /** The same, but undecided. */
    Report undecided(List<String> reasons) {
        return new Report(
                new Verdict.Undecided(reasons),
                schedules,
                cutShort,
                interleavings,
                false,
                violating,
                aborted,
                deadlocks,
                waits,
                outcomes,
                replayed);
    }

    Report withInterleavings(Optional<BigInteger> all) {
        return new Report(
                verdict,
                schedules,
                cutShort,
                all,
                exhaustive,
                violating,
                aborted,
                deadlocks,
                waits,
                outcomes,
                replayed);
    }

    Report withReplayed(Optional<Execution> execution) {
        return new Report(
                verdict,
                schedules,
                cutShort,
                interleavings,
                exhaustive,
                violating,
                aborted,
                deadlocks,
                waits,
                outcomes,
                execution);
    }

    /** The schedule to look at: the bad one of a violated race, else the one that was {@link #replayed}. */
    public Optional<Execution> shown() {
        return verdict instanceof Verdict.Violated violated ? Optional.of(violated.execution()) : replayed;
    }

    /**
     * One distinct outcome.
     *
     * @param outcome in words
     * @param count in how many schedules
     * @param serial whether some serial order of the actors that did not abort comes to the same
     * @param violates whether it is not serial or breaks an invariant
     */
    public record Counted(String outcome, long count, boolean serial, boolean violates) {}
}
