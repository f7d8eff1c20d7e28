package dev.rowlock.benchmarks;

import java.time.Duration;

/**
 * Who takes part in a contest.
 *
 * @param name as it stands in the tables
 * @param callers how many threads do one operation after the other
 * @param warmUp how long they do so before the clock starts
 */
record Entrant(String name, int callers, Duration warmUp, Contender.Opener opener) {}
