package dev.rowlock.benchmarks;

/** One operation of one caller. A caller is one thread. */
@FunctionalInterface
interface Call {
    void run() throws Exception;

    /** Makes the operation of each caller once, before the clock starts. */
    @FunctionalInterface
    interface Factory {
        /** For the caller with this number, from 0. */
        Call of(int caller) throws Exception;
    }
}
