package dev.rowlock.prover.engine;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Chooses at random in a way that finds races of small depth with a known probability: each actor has a random priority, the
 * highest that can go on does, and at a few random points the one that would go on falls to the lowest (PCT: S. Burckhardt,
 * P. Kothari, M. Musuvathi and S. Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", 2010).
 * The same seed chooses the same.
 */
final class Priorities implements Controller.Chooser {
    private static final int MOST_CHANGES = 3;

    private final Random random;
    private final Map<Integer, Double> priorities = new HashMap<>();
    private final Set<Integer> changes = new HashSet<>();
    private int step;

    /**
     * @param length about how many steps a schedule has
     */
    Priorities(long seed, int length) {
        this.random = new Random(seed);
        int count = random.nextInt(MOST_CHANGES + 1);
        for (int i = 0; i < count; i++) {
            changes.add(random.nextInt(Math.max(1, length)));
        }
    }

    @Override
    public int choose(Map<Integer, String> enabled) {
        enabled.keySet().forEach(actor -> priorities.computeIfAbsent(actor, any -> 1 + random.nextDouble()));
        if (changes.contains(step++)) {
            priorities.put(highest(enabled), -(double) step);
        }
        return highest(enabled);
    }

    private int highest(Map<Integer, String> enabled) {
        return enabled.keySet().stream()
                .max(Comparator.comparing(priorities::get))
                .orElseThrow();
    }
}
