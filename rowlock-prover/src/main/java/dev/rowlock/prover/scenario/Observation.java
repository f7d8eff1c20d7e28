package dev.rowlock.prover.scenario;

/** What makes two outcomes of a scenario different. */
public enum Observation {
    /** Every row that a session read, how the sessions ended, and the final data. The default. */
    READS,
    /** Only how the sessions ended and the final data. */
    DATA
}
