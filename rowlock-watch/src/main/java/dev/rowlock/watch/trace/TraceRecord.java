package dev.rowlock.watch.trace;

/** What a trace is made of. */
public sealed interface TraceRecord permits TracedStatement, TracedTransaction {
    /** The number of this record in the trace, from 1 on. */
    long number();

    /** Where it happened. */
    Session session();
}
