package dev.rowlock.prover.engine;

/** Where an actor says what its step touched. */
@FunctionalInterface
public interface Telling {
    /**
     * Tells what a step touched, after it and before the next one; a step may tell several times. One that never tells is taken
     * to depend on everything.
     */
    void touched(Touch touch);
}
