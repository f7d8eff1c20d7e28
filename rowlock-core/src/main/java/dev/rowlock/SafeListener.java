package dev.rowlock;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the failures of a user's listener away from the transaction. */
final class SafeListener {
    private static final Logger LOG = LoggerFactory.getLogger(Rowlock.class);

    private final RowlockListener listener;

    SafeListener(RowlockListener listener) {
        this.listener = listener;
    }

    void tell(Consumer<RowlockListener> event) {
        try {
            event.accept(listener);
        } catch (Throwable e) {
            LOG.error(
                    "the listener {} failed; the transaction goes on",
                    listener.getClass().getName(),
                    e);
        }
    }
}
