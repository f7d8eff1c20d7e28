package dev.rowlock.prover.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Takes every choice at every point, the deepest first; each schedule is run again from its beginning. */
final class DepthFirst implements Controller.Chooser {
    private final Race race;
    private final List<Choice> path = new ArrayList<>();
    private int depth;

    private static final class Choice {
        private final Map<Integer, String> enabled;
        private final List<Integer> order;
        private int index;

        Choice(Map<Integer, String> enabled) {
            this.enabled = Map.copyOf(enabled);
            this.order = enabled.keySet().stream().sorted().toList();
        }
    }

    DepthFirst(Race race) {
        this.race = race;
    }

    @Override
    public int choose(Map<Integer, String> enabled) {
        if (depth == path.size()) {
            path.add(new Choice(enabled));
        }
        Choice choice = path.get(depth);
        if (!choice.enabled.equals(enabled)) {
            throw new RaceException(
                    race.name() + " does not replay: after the same steps " + choice.enabled
                            + " could go on before, now " + enabled,
                    null);
        }
        depth++;
        return choice.order.get(choice.index);
    }

    /** Moves to the next schedule; false if there is none. */
    boolean advance() {
        depth = 0;
        while (!path.isEmpty()) {
            Choice last = path.get(path.size() - 1);
            if (last.index + 1 < last.order.size()) {
                last.index++;
                return true;
            }
            path.remove(path.size() - 1);
        }
        return false;
    }
}
