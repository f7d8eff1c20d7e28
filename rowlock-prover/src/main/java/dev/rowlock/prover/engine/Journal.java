package dev.rowlock.prover.engine;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Remembers what every actor wanted to send after which steps of all actors: it must want the same whenever these steps are
 * taken again, or what was explored says nothing. Values of parameters may differ: identifiers and moments do by nature.
 */
final class Journal {
    private final Map<String, String> wanted = new HashMap<>();
    private final Set<String> differences = new LinkedHashSet<>();
    private final StringBuilder taken = new StringBuilder();
    private boolean open;

    /** From now on differences count. */
    synchronized void open() {
        open = true;
    }

    /** A schedule begins. */
    synchronized void begin() {
        taken.setLength(0);
    }

    /** The steps taken so far. */
    synchronized String taken() {
        return taken.toString();
    }

    /**
     * An actor wanted something.
     *
     * @param before the steps that were taken when it came to want it
     */
    synchronized void wants(String before, String step, String what) {
        if (!open) {
            return;
        }
        String known = wanted.putIfAbsent(before + ":" + step, what);
        if (known != null && !known.equals(what)) {
            differences.add("an actor does not do the same every time: after" + (before.isEmpty() ? " no step" : before)
                    + ", " + step + " was \"" + known + "\" before and is \"" + what + "\" now");
        }
    }

    synchronized void takes(String step) {
        taken.append(' ').append(step);
    }

    synchronized Set<String> differences() {
        return new LinkedHashSet<>(differences);
    }
}
