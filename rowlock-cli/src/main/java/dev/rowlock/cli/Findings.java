package dev.rowlock.cli;

import dev.rowlock.prover.engine.Remedy;
import dev.rowlock.prover.engine.Report;
import dev.rowlock.prover.scenario.Scenario;
import java.util.List;

/** Takes what was found out about one scenario after the other, to show it somewhere. */
interface Findings {
    /** A scenario that was explored. */
    void add(Scenario scenario, Report report, long millis);

    /** A scenario that could not be run, and why. */
    void addUndecided(Scenario scenario, String reason, long millis);

    /**
     * What came of trying remedies against the scenario that was added last.
     *
     * @param remedies the best first; none where no bad schedule was found, so that there was nothing to remedy
     */
    void addRemedies(Scenario scenario, List<Remedy> remedies);
}
