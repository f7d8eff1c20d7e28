package dev.rowlock.benchmarks;

/** One way of doing the work. A new one is opened for each trial and closed behind it. */
interface Contender extends AutoCloseable {
    /** The operation of a caller, made once for each of them before the clock starts. */
    Call caller(int number) throws Exception;

    /**
     * Whether the database holds exactly what so many operations make of it. Called when all callers have ended.
     *
     * @param operations all that returned without an error, those before the clock started included
     * @throws WrongResultException when it does not
     */
    void check(long operations) throws Exception;

    /** Ends all its connections and threads. */
    @Override
    void close() throws Exception;

    /** Brings the data into the given state and connects. */
    @FunctionalInterface
    interface Opener {
        Contender open(Bench bench) throws Exception;
    }
}
