package dev.rowlock.spring.retry;

/** Hears of attempts that lost to other transactions, for meters and logs. What it throws is thrown to the caller, so it throws nothing. */
public interface RetryListener {
    /**
     * An attempt was rolled back.
     *
     * @param sqlState 40001, 40P01 or 55P03
     */
    default void onFailedAttempt(String sqlState) {}

    /**
     * All attempts are over, and at least one had lost.
     *
     * @param conflicts how many had lost
     * @param absorbed whether a later one succeeded, so that the caller noticed nothing
     */
    default void onEnded(int conflicts, boolean absorbed) {}
}
