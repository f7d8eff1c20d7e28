package dev.rowlock.prover.engine;

/**
 * What a step did to the data through one connection.
 *
 * @param backend the process id of the connection's backend
 * @param footprint what it can have touched
 * @param transactionOpen whether a transaction is open on the connection afterwards; if not, all that it wrote is public now and
 *     all its locks are free
 * @param level at which the step ran
 */
public record Touch(int backend, Footprint footprint, boolean transactionOpen, Level level) {
    /** How long a snapshot lasts, and who checks for conflicts. */
    public enum Level {
        /** Each statement has a snapshot of its own. */
        READ_COMMITTED,
        /** One snapshot for the whole transaction. */
        REPEATABLE_READ,
        /** The same, with the server watching for dangerous structures; also for a level that is not known. */
        SERIALIZABLE
    }
}
