package dev.rowlock.prover.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Follows a list of actors as far as they can go on; where the next one cannot, it waits for its turn. */
final class Follow implements Controller.Chooser {
    private final List<Integer> left;

    Follow(List<Integer> actors) {
        this.left = new ArrayList<>(actors);
    }

    @Override
    public int choose(Map<Integer, String> enabled) {
        for (int i = 0; i < left.size(); i++) {
            if (enabled.containsKey(left.get(i))) {
                return left.remove(i);
            }
        }
        return enabled.keySet().iterator().next();
    }
}
