package dev.rowlock.prover.engine;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Runs code before it is explored: with all actors under way at once and one after the other, so that what happens the first time
 * only is over, and then one serial order twice, which must come to the same.
 */
final class Rehearsal {
    private final Control control;
    private final RaceSpec race;
    private final Journal journal;

    /** @param journal opened once the first times are over */
    Rehearsal(Control control, RaceSpec race, Journal journal) {
        this.control = control;
        this.race = race;
        this.journal = journal;
    }

    /**
     * Runs it.
     *
     * @throws UnexplorableException if the actors do not do the same every time
     */
    void run(Duration stepLimit) {
        Controller controller = new Controller(control, stepLimit);
        outcome(controller, new InTurns());
        outcome(controller, Rehearsal::first);
        journal.open();
        Outcome once = outcome(controller, Rehearsal::first);
        Outcome again = outcome(controller, Rehearsal::first);
        journal.differences().stream().findFirst().ifPresent(difference -> {
            throw new UnexplorableException(difference);
        });
        if (!once.equals(again)) {
            throw new UnexplorableException(
                    "the actors do not do the same every time: one after the other, they came once"
                            + " to\n" + once.text() + "\nand then to\n" + again.text()
                            + "\nColumns that differ by nature can be ignored; what actors keep in memory is not brought back");
        }
    }

    private Outcome outcome(Controller controller, Controller.Chooser chooser) {
        Execution execution = controller
                .run(race.programs(), () -> control.reset(race.setups(), Optional.empty()), chooser)
                .orElseThrow(() -> new IllegalStateException("a rehearsal is never cut short"));
        return Outcome.of(race, Oracle.survivors(execution), execution, control.data(race.ignored()));
    }

    private static int first(Map<Integer, String> enabled) {
        return enabled.keySet().iterator().next();
    }

    /** Each actor in its turn, so that all of them are under way at once. */
    private static final class InTurns implements Controller.Chooser {
        private int last = -1;

        @Override
        public int choose(Map<Integer, String> enabled) {
            last = enabled.keySet().stream()
                    .filter(number -> number > last)
                    .findFirst()
                    .orElseGet(() -> first(enabled));
            return last;
        }
    }
}
