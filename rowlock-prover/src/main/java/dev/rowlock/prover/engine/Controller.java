package dev.rowlock.prover.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Runs one schedule: lets one actor at a time take one step, and asks the server about a step that does not come back. A step
 * that waits for another actor stays under way while others go on; when it can go on, it is waited for before the next choice,
 * so that a schedule always replays the same way.
 */
final class Controller {
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

    /**
     * Runs the programs to their end; empty if the schedule was ended before.
     *
     * @param reset brings the data to where they begin
     */
    Optional<Execution> run(List<? extends Program> programs, Runnable reset, Chooser chooser) {
        prepare(programs, reset);
        List<Actor> actors = programs.stream().map(Actor::of).toList();
        try {
            tracker.reset();
            actors.forEach(Actor::start);
            return run(actors, new Waits(control, stepLimit, actors), chooser);
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

    private static void prepare(List<? extends Program> programs, Runnable reset) {
        List<Program> behind = new ArrayList<>();
        List<Future<?>> meanwhile = new ArrayList<>();
        for (Program program : programs) {
            if (program.preparesAlone()) {
                meanwhile.add(Threads.POOL.submit(program::prepare));
            } else {
                behind.add(program);
            }
        }
        try {
            reset.run();
        } catch (RuntimeException e) {
            meanwhile.forEach(task -> awaitAfter(e, task));
            throw e;
        }
        meanwhile.forEach(Controller::await);
        behind.forEach(Program::prepare);
    }

    private static void awaitAfter(RuntimeException failure, Future<?> task) {
        try {
            await(task);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private static void await(Future<?> task) {
        try {
            task.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RaceException failed ? failed : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while exploring", e);
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
        if (!ended && !actor.mayStayBehind()) {
            throw new RaceException("actor " + actor.program().name() + " does not end", null);
        }
    }

    private Optional<Execution> run(List<Actor> actors, Waits waits, Chooser chooser) {
        List<Execution.Step> steps = new ArrayList<>();
        Map<Actor, Integer> begun = new HashMap<>();
        waits.settle(actors);
        // What the sessions did before their first step, such as beginning a transaction.
        actors.forEach(actor -> chooser.prepared(tracker.effect(actor.takeTouches(), false, true)));
        while (true) {
            Map<Integer, String> enabled = enabled(actors, waits);
            if (enabled.isEmpty() && !waits.waiting().isEmpty()) {
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
            boolean goesOn = waits.takeHeld(actor);
            if (goesOn) {
                waits.expect(true);
                control.letGo(actor.program().backends());
            } else {
                boolean mayWait = mayWait(actor.program());
                waits.expect(mayWait || !waits.waiting().isEmpty());
                control.hold(actor.program().backends());
                actor.program().mayDeadlock(!waits.waiting().isEmpty());
                release(actor, mayWait, waits);
            }
            List<Actor> underWay = new ArrayList<>(waits.waiting());
            underWay.add(actor);
            waits.settle(underWay);
            Set<Integer> waitsFor = waits.of(actor);
            if (!goesOn) {
                begun.put(actor, steps.size());
            }
            steps.add(new Execution.Step(chosen, step, waitsFor, steps.size(), false));
            // Whoever still waits comes back with the next step at the earliest.
            waits.underWay()
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

    /** Whether the step that it stands before may have to wait for another actor. */
    private boolean mayWait(Program program) {
        if (control.holds()) {
            return true;
        }
        return program instanceof Program.StepByStep steps
                ? tracker.mayWait(program.backends(), steps.next())
                : tracker.anyOpenBesides(program.backends());
    }

    private void release(Actor actor, boolean mayWait, Waits waits) {
        if (!mayWait && actor instanceof StepActor here) {
            String step = actor.step();
            if (!here.takeHere(stepLimit, () -> control.cancel(actor.program().backends()))) {
                throw new UnexplorableException(waits.tooLong(step, actor.program()));
            }
        } else {
            actor.release();
        }
    }

    private void closeEnded(List<Actor> actors, Waits waits) {
        Set<Actor> before = waits.waiting();
        actors.stream()
                .filter(actor -> !before.contains(actor))
                .map(Actor::program)
                .forEach(Program::leave);
        waits.expect(true);
        waits.settle(new ArrayList<>(before));
        if (waits.waiting().equals(before)) {
            throw new UnexplorableException("every actor that is left waits, and no deadlock was found: " + waits);
        }
    }

    private static Map<Integer, String> enabled(List<Actor> actors, Waits waits) {
        Map<Integer, String> enabled = new LinkedHashMap<>();
        for (int i = 0; i < actors.size(); i++) {
            Actor actor = actors.get(i);
            if (actor.isAtGate()) {
                enabled.put(i, actor.step());
            } else if (waits.isHeld(actor)) {
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
}
