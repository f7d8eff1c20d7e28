package dev.rowlock.benchmarks;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Numbers from 1 to n, the k-th with a probability in proportion to 1 / k. The same for every run of the same seed. */
final class Zipf {
    private final double[] cumulative;

    /** Exponent 1.0. */
    Zipf(int n) {
        cumulative = new double[n];
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += 1.0 / (i + 1);
            cumulative[i] = sum;
        }
        for (int i = 0; i < n; i++) {
            cumulative[i] /= sum;
        }
    }

    long next(SplittableRandom random) {
        int found = Arrays.binarySearch(cumulative, random.nextDouble());
        return Math.min(cumulative.length, (found < 0 ? -found - 1 : found) + 1);
    }
}
