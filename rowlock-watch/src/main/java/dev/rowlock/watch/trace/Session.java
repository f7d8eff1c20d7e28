package dev.rowlock.watch.trace;

/**
 * Where something happened.
 *
 * @param connection the number of the connection that was handed out
 * @param transaction the number of the transaction in the trace, from 1 on; 0 for a statement that commits by itself
 * @param isolation the level of the transaction
 * @param thread the name of the program's thread
 * @param threadId the id of the program's thread
 */
public record Session(long connection, long transaction, Isolation isolation, String thread, long threadId) {
    /** Whether the statement commits by itself. */
    public boolean autoCommitted() {
        return transaction == 0;
    }
}
