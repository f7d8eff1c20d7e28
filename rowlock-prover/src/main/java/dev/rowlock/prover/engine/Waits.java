package dev.rowlock.prover.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Waits for the actors of one schedule, and knows who of them waits for whom, as the server last said. */
final class Waits {
    private static final long FIRST_LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long LONGEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Control control;
    private final Duration stepLimit;
    private final List<Actor> all;
    private final Map<Actor, Set<Integer>> waiting = new HashMap<>();
    /** Whose statement is held inside the server until it is chosen to go on. */
    private final Set<Actor> held = new LinkedHashSet<>();
    /** Whether anybody can have a lock that a step may have to wait for; if not, the server need not be asked at once. */
    private boolean mayWait = true;

    /** @param stepLimit how long a step may take that waits for no other actor */
    Waits(Control control, Duration stepLimit, List<Actor> all) {
        this.control = control;
        this.stepLimit = stepLimit;
        this.all = all;
    }

    /** The actors that wait for others. */
    Set<Actor> waiting() {
        return Set.copyOf(waiting.keySet());
    }

    /** The actors, by number, that this one waits for. */
    Set<Integer> of(Actor actor) {
        return waiting.getOrDefault(actor, Set.of());
    }

    /** Whether its statement is held inside the server. */
    boolean isHeld(Actor actor) {
        return held.contains(actor);
    }

    /** Whether it was held; now it no longer is. */
    boolean takeHeld(Actor actor) {
        return held.remove(actor);
    }

    /** All that are under way: they wait, or are held. */
    Stream<Actor> underWay() {
        return Stream.concat(waiting.keySet().stream(), held.stream());
    }

    /** Says whether anybody can have a lock that the next step may have to wait for. */
    void expect(boolean waits) {
        mayWait = waits;
    }

    @Override
    public String toString() {
        return waiting.keySet().stream()
                .map(actor -> actor.program().name())
                .sorted()
                .toList()
                .toString();
    }

    /** Returns once each of these stands at a gate, has ended, or waits for another actor without being part of a cycle. */
    void settle(List<Actor> underWay) {
        Map<Integer, Integer> numbers = new HashMap<>();
        for (int i = 0; i < all.size(); i++) {
            for (int backend : all.get(i).program().backends()) {
                numbers.put(backend, i);
            }
        }
        List<Actor> open = new ArrayList<>(underWay);
        long begin = System.nanoTime();
        long look = mayWait ? FIRST_LOOK_NANOS : LONGEST_LOOK_NANOS;
        while (true) {
            long patience = look;
            open.removeIf(actor -> actor.awaitSettled(patience));
            if (open.isEmpty() || allWait(open, numbers)) {
                waiting.keySet().retainAll(open);
                return;
            }
            if (System.nanoTime() - begin > stepLimit.toNanos()) {
                throw new UnexplorableException(
                        tooLong(open.get(0).step(), open.get(0).program()));
            }
            look = Math.min(LONGEST_LOOK_NANOS, look + look / 2);
        }
    }

    String tooLong(String step, Program late) {
        return (step.isEmpty() ? "what comes before the first step" : "step " + step) + " of " + late.name()
                + " took longer than " + stepLimit.toMillis() + " ms and waits for no other actor"
                + late.describeBlock();
    }

    private boolean allWait(List<Actor> open, Map<Integer, Integer> numbers) {
        Map<Integer, Set<Integer>> blockers = control.blockers(open.stream()
                .flatMap(actor -> actor.program().backends().stream())
                .toList());
        Map<Actor, Set<Integer>> found = new HashMap<>();
        for (Actor actor : List.copyOf(open)) {
            if (actor.program().backends().stream()
                    .anyMatch(own -> blockers.getOrDefault(own, Set.of()).contains(control.backend()))) {
                held.add(actor);
                open.remove(actor);
                continue;
            }
            Set<Integer> of = new HashSet<>();
            for (int own : actor.program().backends()) {
                for (Integer backend : blockers.getOrDefault(own, Set.of())) {
                    Integer number = numbers.get(backend);
                    if (number != null) {
                        of.add(number);
                    }
                }
            }
            found.put(actor, of);
        }
        waiting.clear();
        waiting.putAll(found);
        return found.values().stream().noneMatch(Set::isEmpty) && !hasCycle(found);
    }

    /** Whoever waits for somebody who waits for nobody will be let go; in a cycle the server is about to pick a victim. */
    private boolean hasCycle(Map<Actor, Set<Integer>> found) {
        Set<Actor> left = new HashSet<>(found.keySet());
        boolean changed = true;
        while (changed) {
            changed = left.removeIf(actor ->
                    found.getOrDefault(actor, Set.of()).stream().noneMatch(number -> left.contains(all.get(number))));
        }
        return !left.isEmpty();
    }
}
