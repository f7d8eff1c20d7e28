package dev.rowlock.benchmarks;

import java.util.List;
import java.util.Map;

/** One question, put to all who take part in one run. */
interface Contest {
    /** As {@code --only} knows it. */
    int number();

    String title();

    Result run(Bench bench) throws Exception;

    /**
     * What came of it.
     *
     * @param trials of each entrant, in the order in which they took turns
     * @param notes what a reader of the numbers must know
     */
    record Result(
            int number,
            String title,
            Map<String, List<Trial>> trials,
            List<Comparison> comparisons,
            List<String> notes) {}
}
