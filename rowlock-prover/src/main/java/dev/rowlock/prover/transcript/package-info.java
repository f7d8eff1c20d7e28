/**
 * Runs a scenario's permutations as PostgreSQL's own isolation tester does and writes what that prints. Start at
 * {@link dev.rowlock.prover.transcript.Transcript}.
 *
 * <p>It speaks the server's protocol itself. A JDBC driver fixes {@code DateStyle}, throws away the results in front of an
 * error, and does not say when a notice came; a transcript shows all three.
 */
@NullMarked
package dev.rowlock.prover.transcript;

import org.jspecify.annotations.NullMarked;
