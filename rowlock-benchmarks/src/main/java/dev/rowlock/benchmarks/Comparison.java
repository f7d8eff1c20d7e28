package dev.rowlock.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One entrant against another, in pairs of trials that were run one after the other.
 *
 * @param what whose which figure against whose
 * @param ratio of that figure; null if a number behind it is void
 * @param target what the ratio should reach
 * @param atLeast whether the target is a lower bound, or else an upper one
 * @param why why the ratio is void; null if it is not
 */
record Comparison(
        String what,
        @Nullable Spread ratio,
        double target,
        boolean atLeast,
        @Nullable String why) {
    /** What of a trial is compared. */
    enum Figure {
        THROUGHPUT("operations a second"),
        MEDIAN_TIME("median time"),
        P99_TIME("99th percentile of the time");

        private final String words;

        Figure(String words) {
            this.words = words;
        }

        private double of(Trial trial) {
            return switch (this) {
                case THROUGHPUT -> trial.perSecond();
                case MEDIAN_TIME -> trial.p50Micros();
                case P99_TIME -> trial.p99Micros();
            };
        }
    }

    static Comparison of(
            Map<String, List<Trial>> trials,
            String ours,
            String theirs,
            Figure figure,
            double target,
            boolean atLeast) {
        String what = ours + " / " + theirs + ", " + figure.words;
        List<Trial> a = trials.getOrDefault(ours, List.of());
        List<Trial> b = trials.getOrDefault(theirs, List.of());
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            String wrong =
                    a.get(i).wrong() == null ? b.get(i).wrong() : a.get(i).wrong();
            if (wrong != null) {
                return new Comparison(what, null, target, atLeast, wrong);
            }
            ratios.add(figure.of(a.get(i)) / figure.of(b.get(i)));
        }
        return ratios.isEmpty()
                ? new Comparison(what, null, target, atLeast, "not measured")
                : new Comparison(what, Spread.of(ratios), target, atLeast, null);
    }

    /** Of one entrant's times to a limit that none may exceed. */
    static Comparison within(Map<String, List<Trial>> trials, String entrant, Figure figure, Duration limit) {
        String what = entrant + ", " + figure.words + ", of the limit of " + limit.toMillis() / 1000.0 + " s";
        List<Double> ratios = new ArrayList<>();
        for (Trial trial : trials.getOrDefault(entrant, List.of())) {
            if (trial.wrong() != null) {
                return new Comparison(what, null, 1, false, trial.wrong());
            }
            ratios.add(figure.of(trial) / (limit.toNanos() / 1000.0));
        }
        return ratios.isEmpty()
                ? new Comparison(what, null, 1, false, "not measured")
                : new Comparison(what, Spread.of(ratios), 1, false, null);
    }

    /** Whether the end of the spread that is worse for us reaches the target; empty if there is no number. */
    Optional<Boolean> met() {
        return Optional.ofNullable(ratio)
                .map(spread -> atLeast ? spread.lowest() >= target : spread.highest() <= target);
    }
}
