package dev.rowlock.prover.engine;

/** Where an actor stops before each step until the controller lets it go on. */
@FunctionalInterface
public interface Gate {
    /**
     * Waits for permission.
     *
     * @param step what the actor is going to do, for schedules and traces
     */
    void pass(String step);
}
