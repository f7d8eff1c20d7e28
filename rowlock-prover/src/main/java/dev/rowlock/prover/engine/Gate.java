package dev.rowlock.prover.engine;

/** Where an actor stops before each step until the controller lets it go on, and where it says what the step touched. */
public interface Gate extends Telling {
    /**
     * Waits for permission.
     *
     * @param step what the actor is going to do, for schedules and traces
     */
    void pass(String step);
}
