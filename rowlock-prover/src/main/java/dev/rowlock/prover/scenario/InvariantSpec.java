package dev.rowlock.prover.scenario;

/**
 * What must be true of the data after every schedule.
 *
 * @param text how reports call it
 * @param sql a query that answers true where it holds
 * @param position where its text stands
 */
public record InvariantSpec(String text, SqlBlock sql, Position position) {}
