package dev.rowlock.prover.engine;

import java.util.List;
import java.util.Map;

/** Follows a list of names of steps exactly; behind its end the actors go on in their order. */
final class Replay implements Controller.Chooser {
    private final List<String> steps;
    private int next;

    Replay(List<String> steps) {
        this.steps = List.copyOf(steps);
    }

    @Override
    public int choose(Map<Integer, String> enabled) {
        if (next == steps.size()) {
            return enabled.keySet().iterator().next();
        }
        String step = steps.get(next);
        next++;
        return enabled.entrySet().stream()
                .filter(entry -> entry.getValue().equals(step))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new UnexplorableException("step " + next + " of the given schedule, " + step
                        + ", cannot be taken there; what can is "
                        + String.join(", ", enabled.values().stream().sorted().toList())));
    }

    /** Whether the actors ended before the list did. */
    boolean isUsedUp() {
        return next == steps.size();
    }
}
