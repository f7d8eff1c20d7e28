/** Races in JUnit tests. */
@NullMarked
package dev.rowlock.prover.junit;

import org.jspecify.annotations.NullMarked;
