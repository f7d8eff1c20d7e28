package dev.rowlock.prover.engine;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * All that was found out about a race.
 *
 * @param verdict what it came to
 * @param schedules how many were run
 * @param interleavings how many ways there are to interleave the actors' steps, possible or not; empty where actors try again and
 *     the number is not known beforehand
 * @param exhaustive whether all possible schedules were run
 * @param violating schedules with an outcome that no serial order has, or a broken invariant
 * @param aborted schedules in which at least one actor ended by 40001 or 40P01
 * @param deadlocks schedules in which at least one actor ended by 40P01
 * @param outcomes each distinct one, most frequent first
 */
public record Report(
        Verdict verdict,
        long schedules,
        Optional<BigInteger> interleavings,
        boolean exhaustive,
        long violating,
        long aborted,
        long deadlocks,
        List<Counted> outcomes) {
    public Report {
        outcomes = List.copyOf(outcomes);
    }

    Report withInterleavings(Optional<BigInteger> all) {
        return new Report(verdict, schedules, all, exhaustive, violating, aborted, deadlocks, outcomes);
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
