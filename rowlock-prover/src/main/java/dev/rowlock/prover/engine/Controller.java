package dev.rowlock.prover.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Runs one schedule: lets one actor at a time take one step, and asks the server about a step that does not come back. A step
 * that waits for another actor stays under way while others go on; when it can go on, it is waited for before the next choice,
 * so that a schedule always replays the same way.
 */
final class Controller {
    private static final long FIRST_LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long LONGEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long CANCEL_AFTER_MILLIS = 50;
    private static final Duration GIVE_UP_LIMIT = Duration.ofSeconds(10);

    private final Control control;
    private final Duration stepLimit;
    private final Effect.Tracker tracker = new Effect.Tracker();

    Controller(Control control, Duration stepLimit) {
        this.control = control;
        this.stepLimit = stepLimit;
    }

    /** Chooses who goes next. */
    @FunctionalInterface
    interface Chooser {
        /** Chosen to end the schedule here, because it is known where it leads. */
        int NOBODY = -1;

        /**
         * Chooses one.
         *
         * @param enabled the actors that can take a step, by their number in the race, ascending, with the names of their steps
         * @return the number of one of them, or {@link #NOBODY}
         */
        int choose(Map<Integer, String> enabled);

        /** Tells what an actor did before its first step. */
        default void prepared(Effect effect) {}

        /** Tells what the step chosen last did, as far as it came. */
        default void happened(Effect effect) {}
    }

    /** Runs the programs to their end; empty if the schedule was ended before. */
    Optional<Execution> run(List<? extends Program> programs, Chooser chooser) {
        programs.forEach(Program::prepare);
        List<Actor> actors = programs.stream().map(Actor::new).toList();
        try {
            tracker.reset();
            return run(actors, new Waits(), chooser);
        } catch (UnexplorableException e) {
            programs.forEach(Program::giveUp);
            throw e;
        } finally {
            actors.forEach(Actor::giveUp);
            control.letAllGo();
            actors.forEach(this::end);
            programs.forEach(Program::finish);
        }
    }

    /** A statement that waits for a lock which nobody will let go is cancelled. */
    private void end(Actor actor) {
        long begin = System.nanoTime();
        boolean ended = actor.join(CANCEL_AFTER_MILLIS);
        while (!ended && System.nanoTime() - begin < GIVE_UP_LIMIT.toNanos()) {
            control.cancel(actor.program().backends());
            ended = actor.join(CANCEL_AFTER_MILLIS);
        }
        if (!ended && !actor.program().needsOwnThread()) {
            throw new RaceException("actor " + actor.program().name() + " does not end", null);
        }
    }

    private Optional<Execution> run(List<Actor> actors, Waits waits, Chooser chooser) {
        List<Execution.Step> steps = new ArrayList<>();
        Map<Actor, Integer> begun = new HashMap<>();
        settle(actors, waits, actors);
        // What the sessions did before their first step, such as beginning a transaction.
        actors.forEach(actor -> chooser.prepared(tracker.effect(actor.takeTouches(), false, true)));
        while (true) {
            Map<Integer, String> enabled = enabled(actors, waits);
            if (enabled.isEmpty() && !waits.waiting.isEmpty()) {
                // Sessions stay open behind their last step, unless that keeps the others from ever going on.
                closeEnded(actors, waits);
                continue;
            }
            if (enabled.isEmpty()) {
                break;
            }
            int chosen = chooser.choose(enabled);
            if (chosen == Chooser.NOBODY) {
                return Optional.empty();
            }
            String step = enabled.get(chosen);
            if (step == null) {
                throw new IllegalArgumentException("actor " + chosen + " cannot go on; those who can are " + enabled);
            }
            Actor actor = actors.get(chosen);
            boolean goesOn = waits.held.remove(actor);
            if (goesOn) {
                control.letGo(actor.program().backends());
            } else {
                control.hold(actor.program().backends());
                actor.program().mayDeadlock(!waits.waiting.isEmpty());
                actor.release();
            }
            List<Actor> underWay = new ArrayList<>(waits.waiting.keySet());
            underWay.add(actor);
            waits.mayWait = goesOn
                    || control.holds()
                    || tracker.anyOpenBesides(actor.program().backends());
            settle(actors, waits, underWay);
            Set<Integer> waitsFor = waits.waiting.getOrDefault(actor, Set.of());
            if (!goesOn) {
                begun.put(actor, steps.size());
            }
            steps.add(new Execution.Step(chosen, step, waitsFor, steps.size(), false));
            // Whoever still waits comes back with the next step at the earliest.
            Stream.concat(waits.waiting.keySet().stream(), waits.held.stream())
                    .map(begun::get)
                    .forEach(waiting -> steps.set(waiting, steps.get(waiting).backAt(steps.size())));
            chooser.happened(effect(underWay, actor, !waitsFor.isEmpty(), ended -> {
                int begin = begun.getOrDefault(ended, steps.size() - 1);
                steps.set(begin, steps.get(begin).ending());
            }));
        }
        return Optional.of(
                new Execution(steps, actors.stream().map(Actor::result).toList()));
    }

    private void closeEnded(List<Actor> actors, Waits waits) {
        Set<Actor> before = Set.copyOf(waits.waiting.keySet());
        actors.stream()
                .filter(actor -> !before.contains(actor))
                .map(Actor::program)
                .forEach(Program::leave);
        waits.mayWait = true;
        settle(actors, waits, new ArrayList<>(before));
        if (waits.waiting.keySet().equals(before)) {
            throw new UnexplorableException("every actor that is left waits, and no deadlock was found: " + waits);
        }
    }

    private static Map<Integer, String> enabled(List<Actor> actors, Waits waits) {
        Map<Integer, String> enabled = new LinkedHashMap<>();
        for (int i = 0; i < actors.size(); i++) {
            Actor actor = actors.get(i);
            if (actor.isAtGate()) {
                enabled.put(i, actor.step());
            } else if (waits.held.contains(actor)) {
                enabled.put(i, Execution.finish(actor.step()));
            }
        }
        return enabled;
    }

    private Effect effect(List<Actor> underWay, Actor chosen, boolean waits, Consumer<Actor> ended) {
        List<Touch> touches = new ArrayList<>();
        boolean told = true;
        for (Actor actor : underWay) {
            List<Touch> own = actor.takeTouches();
            told &= actor != chosen || !own.isEmpty();
            touches.addAll(own);
            if (!own.isEmpty() && !own.get(own.size() - 1).transactionOpen()) {
                ended.accept(actor);
            }
        }
        return tracker.effect(touches, waits, told);
    }

    /** Who waits for whom, as the server last said. */
    private static final class Waits {
        private final Map<Actor, Set<Integer>> waiting = new HashMap<>();
        /** Whose statement is held inside the server until it is chosen to go on. */
        private final Set<Actor> held = new LinkedHashSet<>();
        /** Whether anybody can have a lock that a step may have to wait for; if not, the server need not be asked at once. */
        private boolean mayWait = true;

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
            for (int backend : all.get(i).program().backends()) {
                numbers.put(backend, i);
            }
        }
        List<Actor> open = new ArrayList<>(underWay);
        long begin = System.nanoTime();
        long look = waits.mayWait ? FIRST_LOOK_NANOS : LONGEST_LOOK_NANOS;
        while (true) {
            long patience = look;
            open.removeIf(actor -> actor.awaitSettled(patience));
            if (open.isEmpty() || allWait(open, all, numbers, waits)) {
                waits.waiting.keySet().retainAll(open);
                return;
            }
            if (System.nanoTime() - begin > stepLimit.toNanos()) {
                throw new UnexplorableException(tooLong(open.get(0)));
            }
            look = Math.min(LONGEST_LOOK_NANOS, look + look / 2);
        }
    }

    private String tooLong(Actor late) {
        return (late.step().isEmpty() ? "what comes before the first step" : "step " + late.step()) + " of "
                + late.program().name() + " took longer than " + stepLimit.toMillis()
                + " ms and waits for no other actor"
                + late.program().describeBlock();
    }

    private boolean allWait(List<Actor> open, List<Actor> all, Map<Integer, Integer> numbers, Waits waits) {
        Map<Integer, Set<Integer>> blockers = control.blockers(open.stream()
                .flatMap(actor -> actor.program().backends().stream())
                .toList());
        Map<Actor, Set<Integer>> found = new HashMap<>();
        for (Actor actor : List.copyOf(open)) {
            if (actor.program().backends().stream()
                    .anyMatch(own -> blockers.getOrDefault(own, Set.of()).contains(control.backend()))) {
                waits.held.add(actor);
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
