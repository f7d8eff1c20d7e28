/** Transcripts of permutations. PostgreSQL's own specs with the transcripts that it expects of them are the outside measure. */
package dev.rowlock.prover.transcript;
