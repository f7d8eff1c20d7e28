package dev.rowlock.once;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the failures of a user's listener away from the requests. */
final class SafeOnceListener {
    private static final Logger LOG = LoggerFactory.getLogger(Once.class);

    private final OnceListener listener;

    SafeOnceListener(OnceListener listener) {
        this.listener = listener;
    }

    /** What is told of. */
    @FunctionalInterface
    interface Request<X extends Exception> {
        OnceResult run() throws X;
    }

    /** A function may use other keys inside; what is thrown because of these is none of this one's. */
    <X extends Exception> OnceResult telling(OnceKey key, Request<X> request) throws X {
        try {
            OnceResult result = request.run();
            tell(one -> one.onAnswered(key, result.replayed()));
            return result;
        } catch (InFlightException e) {
            if (key.equals(e.key())) {
                tell(one -> one.onInFlight(key));
            }
            throw e;
        } catch (KeyReusedException e) {
            if (key.equals(e.key())) {
                tell(one -> one.onKeyReused(key));
            }
            throw e;
        }
    }

    private void tell(Consumer<OnceListener> event) {
        try {
            event.accept(listener);
        } catch (Throwable e) {
            LOG.error(
                    "the listener {} failed; the request goes on",
                    listener.getClass().getName(),
                    e);
        }
    }
}
