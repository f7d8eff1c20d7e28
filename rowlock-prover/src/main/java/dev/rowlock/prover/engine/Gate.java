package dev.rowlock.prover.engine;

/** Where an actor stops before each step until the controller lets it go on, and where it says what the step touched. */
public interface Gate {
    /**
     * Waits for permission.
     *
     * @param step what the actor is going to do, for schedules and traces
     */
    void pass(String step);

    /**
     * Tells what a step touched, after it and before the next gate; a step may tell several times. One that never tells is taken
     * to depend on everything.
     */
    void touched(Touch touch);
}
