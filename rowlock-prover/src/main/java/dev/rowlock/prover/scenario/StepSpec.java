package dev.rowlock.prover.scenario;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One step of a session: what is sent at once, and what is done with the answer.
 *
 * @param name unique in the whole scenario
 * @param into the names that the first row's columns are bound to, in order; empty if none are
 * @param when the condition that the step is skipped without; may use names that earlier steps have bound
 * @param expectRows the number of rows that the step must touch or return; any other rejects the session
 * @param sql may hold several statements, and names that earlier steps have bound
 * @param position where the step's name stands
 */
public record StepSpec(
        String name,
        List<String> into,
        Optional<SqlBlock> when,
        OptionalInt expectRows,
        SqlBlock sql,
        Position position) {

    /** Copies the list. */
    public StepSpec {
        into = List.copyOf(into);
    }
}
