/** Runs actors step by step on a real PostgreSQL, in every order, and judges what came of it. */
@NullMarked
package dev.rowlock.prover.engine;

import org.jspecify.annotations.NullMarked;
