package dev.rowlock.benchmarks;

import org.jspecify.annotations.Nullable;

/**
 * One measurement of one entrant.
 *
 * @param perSecond operations that ended while the clock ran, for each second
 * @param p50Micros half of the operations took no longer
 * @param p99Micros 99 of 100 took no longer
 * @param use what one operation used, over the whole trial
 * @param wrong why the numbers are void; null if the work was done right
 */
record Trial(
        String entrant,
        double perSecond,
        double p50Micros,
        double p99Micros,
        Usage use,
        @Nullable String wrong) {
    /** One that came to no number. */
    static Trial wrong(String entrant, String why) {
        return new Trial(entrant, Double.NaN, Double.NaN, Double.NaN, Usage.UNKNOWN, why);
    }

    Trial named(String name) {
        return new Trial(name, perSecond, p50Micros, p99Micros, use, wrong);
    }
}
