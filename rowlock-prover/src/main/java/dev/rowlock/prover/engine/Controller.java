package dev.rowlock.prover.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Runs one schedule: lets one actor at a time take one step, and asks the server about a step that does not come back. A step
 * that waits for another actor stays under way while others go on; when it can go on, it is waited for before the next choice,
 * so that a schedule always replays the same way.
 */
final class Controller {
    private static final long FIRST_LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long LONGEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final Duration GIVE_UP_LIMIT = Duration.ofSeconds(10);

    private final Control control;
    private final Duration stepLimit;

    Controller(Control control, Duration stepLimit) {
        this.control = control;
        this.stepLimit = stepLimit;
    }

    /** Chooses who goes next. */
    @FunctionalInterface
    interface Chooser {
        /**
         * Chooses one.
         *
         * @param enabled the actors that can take a step, by their number in the race, ascending, with the names of their steps
         * @return the number of one of them
         */
        int choose(Map<Integer, String> enabled);
    }

    /** Runs the programs to their end. */
    Execution run(List<? extends Program> programs, Chooser chooser) {
        programs.forEach(Program::prepare);
        List<Actor> actors = programs.stream().map(Actor::new).toList();
        try {
            return run(actors, new Waits(), chooser);
        } finally {
            actors.forEach(Actor::giveUp);
            actors.forEach(actor -> actor.join(GIVE_UP_LIMIT.toMillis()));
            programs.forEach(Program::finish);
        }
    }

    private Execution run(List<Actor> actors, Waits waits, Chooser chooser) {
        List<Execution.Step> steps = new ArrayList<>();
        settle(actors, waits, actors);
        while (true) {
            Map<Integer, String> enabled = new LinkedHashMap<>();
            for (int i = 0; i < actors.size(); i++) {
                if (actors.get(i).isAtGate()) {
                    enabled.put(i, actors.get(i).step());
                }
            }
            if (enabled.isEmpty()) {
                break;
            }
            int chosen = chooser.choose(enabled);
            String step = enabled.get(chosen);
            if (step == null) {
                throw new IllegalArgumentException("actor " + chosen + " cannot go on; those who can are " + enabled);
            }
            Actor actor = actors.get(chosen);
            actor.program().mayDeadlock(!waits.waiting.isEmpty());
            actor.release();
            List<Actor> underWay = new ArrayList<>(waits.waiting.keySet());
            underWay.add(actor);
            settle(actors, waits, underWay);
            Set<Integer> waitsFor = waits.waiting.getOrDefault(actor, Set.of());
            steps.add(new Execution.Step(chosen, step, waitsFor));
        }
        if (!waits.waiting.isEmpty()) {
            throw new RaceException("every actor that is left waits, and no deadlock was found: " + waits, null);
        }
        return new Execution(steps, actors.stream().map(Actor::result).toList());
    }

    /** Who waits for whom, as the server last said. */
    private static final class Waits {
        private final Map<Actor, Set<Integer>> waiting = new HashMap<>();

        @Override
        public String toString() {
            return waiting.keySet().stream()
                    .map(actor -> actor.program().name())
                    .sorted()
                    .toList()
                    .toString();
        }
    }

    /** Returns once each of these stands at a gate, has ended, or waits for another actor without being part of a cycle. */
    private void settle(List<Actor> all, Waits waits, List<Actor> underWay) {
        Map<Integer, Integer> numbers = new HashMap<>();
        for (int i = 0; i < all.size(); i++) {
            numbers.put(all.get(i).program().backend(), i);
        }
        List<Actor> open = new ArrayList<>(underWay);
        long begin = System.nanoTime();
        long look = FIRST_LOOK_NANOS;
        while (true) {
            long patience = look;
            open.removeIf(actor -> actor.awaitSettled(patience));
            if (open.isEmpty() || allWait(open, all, numbers, waits)) {
                waits.waiting.keySet().retainAll(open);
                return;
            }
            if (System.nanoTime() - begin > stepLimit.toNanos()) {
                throw new RaceException(
                        "step " + open.get(0).step() + " of "
                                + open.get(0).program().name() + " took longer than " + stepLimit.toSeconds()
                                + " s and waits for no other actor",
                        null);
            }
            look = Math.min(LONGEST_LOOK_NANOS, look + look / 2);
        }
    }

    private boolean allWait(List<Actor> open, List<Actor> all, Map<Integer, Integer> numbers, Waits waits) {
        Map<Integer, Set<Integer>> blockers = control.blockers(
                open.stream().map(actor -> actor.program().backend()).toList());
        Map<Actor, Set<Integer>> found = new HashMap<>();
        for (Actor actor : open) {
            Set<Integer> of = new HashSet<>();
            for (Integer backend : blockers.getOrDefault(actor.program().backend(), Set.of())) {
                Integer number = numbers.get(backend);
                if (number != null) {
                    of.add(number);
                }
            }
            found.put(actor, of);
        }
        waits.waiting.clear();
        waits.waiting.putAll(found);
        return found.values().stream().noneMatch(Set::isEmpty) && !hasCycle(found, all);
    }

    /** Whoever waits for somebody who waits for nobody will be let go; in a cycle the server is about to pick a victim. */
    private static boolean hasCycle(Map<Actor, Set<Integer>> waiting, List<Actor> all) {
        Set<Actor> left = new HashSet<>(waiting.keySet());
        boolean changed = true;
        while (changed) {
            changed = left.removeIf(actor ->
                    waiting.getOrDefault(actor, Set.of()).stream().noneMatch(number -> left.contains(all.get(number))));
        }
        return !left.isEmpty();
    }
}
