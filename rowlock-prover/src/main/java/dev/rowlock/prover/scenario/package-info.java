/**
 * Scenario files: what the sessions of a race do, written in SQL. Start at {@link dev.rowlock.prover.scenario.Scenarios}.
 *
 * <p>The format is that of PostgreSQL's own isolation tests (its {@code .spec} files, as of PostgreSQL 15) with additions, all
 * optional: values carried from step to step, conditions, expected row counts, transactions around sessions, retries,
 * invariants.
 */
@NullMarked
package dev.rowlock.prover.scenario;

import org.jspecify.annotations.NullMarked;
