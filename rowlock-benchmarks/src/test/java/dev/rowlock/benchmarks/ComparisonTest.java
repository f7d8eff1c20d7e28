package dev.rowlock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.benchmarks.Comparison.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final Usage NOTHING = new Usage(0, 0, 0, 0);

    private static List<Trial> trials(String name, double... perSecond) {
        List<Trial> trials = new ArrayList<>();
        for (double one : perSecond) {
            trials.add(new Trial(name, one, 1e6 / one, 2e6 / one, NOTHING, null));
        }
        return trials;
    }

    @Test
    void trialsAreComparedInPairsAndTheWorseEndDecides() {
        Map<String, List<Trial>> trials = Map.of("a", trials("a", 90, 100, 400), "b", trials("b", 10, 20, 50));

        Comparison comparison = Comparison.of(trials, "a", "b", Figure.THROUGHPUT, 6, true);

        assertThat(comparison.ratio()).isEqualTo(new Spread(8, 5, 9));
        assertThat(comparison.met()).hasValue(false);
        assertThat(Comparison.of(trials, "a", "b", Figure.THROUGHPUT, 5, true).met())
                .hasValue(true);
        assertThat(Comparison.of(trials, "a", "b", Figure.MEDIAN_TIME, 0.2, false)
                        .met())
                .hasValue(true);
        assertThat(Comparison.of(trials, "a", "b", Figure.P99_TIME, 0.19, false).met())
                .hasValue(false);
    }

    @Test
    void wrongResultVoidsTheRatioAndSaysWhy() {
        List<Trial> wrong = new ArrayList<>(trials("b", 10));
        wrong.add(new Trial("b", 20, 1, 1, NOTHING, "2 were taken and 9 is left"));

        Comparison comparison =
                Comparison.of(Map.of("a", trials("a", 5, 5), "b", wrong), "a", "b", Figure.THROUGHPUT, 1, true);

        assertThat(comparison.ratio()).isNull();
        assertThat(comparison.met()).isEmpty();
        assertThat(ResultText.words(comparison)).endsWith("void: 2 were taken and 9 is left");
    }

    @Test
    void medianOfAnEvenNumberLiesBetweenTheTwoInTheMiddle() {
        assertThat(Spread.of(List.of(4.0, 1.0, 3.0, 10.0))).isEqualTo(new Spread(3.5, 1, 10));
    }
}
