package dev.rowlock.prover.scenario;

/** Where a step belongs: which session it is of, and where its name stands. */
record StepHome(String session, Position position) {}
