package dev.rowlock.once;

/**
 * Hears what requests meet, for meters and logs. Called once for each call of {@code run} that ends in one of these ways, in its
 * thread and after its unit of work has ended, so no locks are held then; unless it is part of a longer one, in which case nothing
 * of it is durable yet. A call that fails in another way is not told of. Be quick. What it throws is logged and otherwise ignored.
 */
public interface OnceListener {
    /** Hears nothing. */
    OnceListener NONE = new OnceListener() {};

    /**
     * A request has its answer.
     *
     * @param replayed whether an earlier request made it; false if it is new and its effect was made now
     */
    default void onAnswered(OnceKey key, boolean replayed) {}

    /** A request with the same key was under way for longer than the wait limit: {@link InFlightException}. */
    default void onInFlight(OnceKey key) {}

    /** The key was used for another request: {@link KeyReusedException}. */
    default void onKeyReused(OnceKey key) {}
}
