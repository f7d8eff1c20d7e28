/** Scenario files: what is valid, what is not and how that is told. PostgreSQL's own specs are the outside measure. */
package dev.rowlock.prover.scenario;
