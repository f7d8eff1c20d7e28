package dev.rowlock.spring.idempotency;

/** Hears of answers under a key, for meters. It throws nothing. */
@FunctionalInterface
public interface Replay {
    /**
     * A request was answered.
     *
     * @param replayed whether by an earlier one's answer
     */
    void onAnswered(boolean replayed);
}
