package dev.rowlock.prover.engine;

/** Hears how far an exploration is. */
@FunctionalInterface
public interface Progress {
    /**
     * Called in the exploring thread after each schedule, so it must be quick.
     *
     * @param schedules how many have been run so far
     */
    void ran(long schedules);
}
