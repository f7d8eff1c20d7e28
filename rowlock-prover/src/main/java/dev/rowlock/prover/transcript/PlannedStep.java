package dev.rowlock.prover.transcript;

import dev.rowlock.prover.scenario.Blocker;
import java.util.List;

/**
 * A step in its place in a permutation.
 *
 * @param session the index of its session
 * @param sql as it is sent and shown
 */
record PlannedStep(String name, int session, String sql, List<Blocker> blockers) {}
