package dev.rowlock.prover.engine;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Runs schedules of a race, each on restored data. */
final class Runner {
    private final Control control;
    private final RaceSpec race;
    private final Controller controller;
    private final Set<String> changed = new HashSet<>();
    /** Whether more than {@link #changed} may be different from where the data begin. */
    private boolean anythingChanged = true;

    Runner(Control control, RaceSpec race, Duration stepLimit) {
        this.control = control;
        this.race = race;
        this.controller = new Controller(control, stepLimit);
    }

    /** Brings the data to where they begin. */
    void reset() {
        control.reset(race.setups(), anythingChanged ? Optional.empty() : Optional.of(Set.copyOf(changed)));
        changed.clear();
        anythingChanged = false;
    }

    /** Runs these programs; empty if the chooser ended the schedule. */
    Optional<Execution> run(List<Program> programs, Controller.Chooser chooser) {
        return controller.run(programs, this::reset, new Controller.Chooser() {
            @Override
            public int choose(Map<Integer, String> enabled) {
                return chooser.choose(enabled);
            }

            @Override
            public void prepared(Effect effect) {
                remember(effect);
            }

            @Override
            public void happened(Effect effect) {
                remember(effect);
                chooser.happened(effect);
            }
        });
    }

    private void remember(Effect effect) {
        anythingChanged |= effect.unknown();
        effect.writes().forEach(resource -> changed.add(resource.table()));
    }
}
