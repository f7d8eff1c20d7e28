/** Finds the race in concurrent transactions, or shows that there is none, by running every interleaving on a real PostgreSQL. */
@NullMarked
package dev.rowlock.prover;

import org.jspecify.annotations.NullMarked;
