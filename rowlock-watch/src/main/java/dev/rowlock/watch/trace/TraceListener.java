package dev.rowlock.watch.trace;

/**
 * Is told of every record, in the thread of the program: what it does there, the program waits for. Records of one connection come in
 * their order. What it throws is logged and does not reach the program.
 */
@FunctionalInterface
public interface TraceListener {
    /** Something happened. */
    void record(TraceRecord record);
}
