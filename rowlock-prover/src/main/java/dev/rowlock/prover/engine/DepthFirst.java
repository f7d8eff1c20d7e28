package dev.rowlock.prover.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes every choice at every point, the deepest first; each schedule is run again from its beginning. With a reduction, of the
 * schedules that differ only in the order of independent steps one is run to its end: an actor whose step was tried at a point
 * sleeps in what is tried there after it, until a step is taken that depends on its own (sleep sets: P. Godefroid, "Partial-Order
 * Methods for the Verification of Concurrent Systems", 1996).
 */
final class DepthFirst implements Controller.Chooser {
    private final String race;
    private final @Nullable Footprints footprints;
    private final List<Choice> path = new ArrayList<>();
    private int depth;

    private static final class Choice {
        private final Map<Integer, String> enabled;
        /** What the actors that sleep here would do. */
        private final Map<Integer, Effect> sleeping;
        /** What those did that were tried here, the present one included. */
        private final Map<Integer, Effect> tried = new HashMap<>();

        private int chosen = NOBODY;

        Choice(Map<Integer, String> enabled, Map<Integer, Effect> sleeping) {
            this.enabled = Map.copyOf(enabled);
            this.sleeping = sleeping;
        }

        boolean chooseNext() {
            chosen = enabled.keySet().stream()
                    .filter(actor -> actor > chosen && !sleeping.containsKey(actor))
                    .min(Integer::compare)
                    .orElse(NOBODY);
            return chosen != NOBODY;
        }
    }

    /**
     * A search that has not begun.
     *
     * @param race its name, for messages
     * @param footprints decide what depends on what; null to leave nothing out
     */
    DepthFirst(String race, @Nullable Footprints footprints) {
        this.race = race;
        this.footprints = footprints;
    }

    @Override
    public int choose(Map<Integer, String> enabled) {
        if (depth == path.size()) {
            Choice next = new Choice(enabled, sleeping(enabled));
            if (!next.chooseNext()) {
                return NOBODY;
            }
            path.add(next);
        }
        Choice choice = path.get(depth);
        if (!choice.enabled.equals(enabled)) {
            throw new UnexplorableException(race + " does not replay: after the same steps " + choice.enabled
                    + " could go on before, now " + enabled);
        }
        depth++;
        return choice.chosen;
    }

    /** Those that slept before and those that were tried there, unless the step just taken has woken them. */
    private Map<Integer, Effect> sleeping(Map<Integer, String> enabled) {
        Map<Integer, Effect> sleeping = new HashMap<>();
        if (footprints == null || path.isEmpty()) {
            return sleeping;
        }
        Choice last = path.get(path.size() - 1);
        Effect taken = last.tried.get(last.chosen);
        if (taken == null) {
            throw new IllegalStateException("nothing was told of step " + last.enabled.get(last.chosen));
        }
        Map<Integer, Effect> candidates = new HashMap<>(last.sleeping);
        last.tried.forEach((actor, effect) -> {
            if (actor != last.chosen) {
                candidates.put(actor, effect);
            }
        });
        candidates.forEach((actor, effect) -> {
            if (enabled.containsKey(actor) && !effect.dependsOn(taken, footprints)) {
                sleeping.put(actor, effect);
            }
        });
        return sleeping;
    }

    @Override
    public void happened(Effect effect) {
        Choice last = path.get(depth - 1);
        last.tried.put(last.chosen, effect);
    }

    /** Moves to the next schedule; false if there is none. */
    boolean advance() {
        depth = 0;
        while (!path.isEmpty()) {
            if (path.get(path.size() - 1).chooseNext()) {
                return true;
            }
            path.remove(path.size() - 1);
        }
        return false;
    }
}
