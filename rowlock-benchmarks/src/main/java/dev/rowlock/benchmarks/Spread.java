package dev.rowlock.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What repeated measurements say: their median, and how far they lie apart.
 *
 * @param median the middle one; of an even number the mean of the two in the middle
 */
record Spread(double median, double lowest, double highest) {
    static Spread of(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /** Such as {@code 8.12x (7.90 to 8.40)}. */
    String asRatio() {
        return String.format(Locale.ROOT, "%.2fx (%.2f to %.2f)", median, lowest, highest);
    }
}
