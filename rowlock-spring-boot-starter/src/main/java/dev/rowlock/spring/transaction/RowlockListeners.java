package dev.rowlock.spring.transaction;

import dev.rowlock.RowlockListener;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells all of them; one that fails does not keep the others from hearing. */
final class RowlockListeners implements RowlockListener {
    private static final Logger LOG = LoggerFactory.getLogger(RowlockListeners.class);

    private final List<RowlockListener> listeners;

    RowlockListeners(List<RowlockListener> listeners) {
        this.listeners = listeners;
    }

    private void tell(Consumer<RowlockListener> event) {
        for (RowlockListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException e) {
                LOG.error(
                        "the listener {} failed; the transaction goes on",
                        listener.getClass().getName(),
                        e);
            }
        }
    }

    @Override
    public void onStarted() {
        tell(RowlockListener::onStarted);
    }

    @Override
    public void onLock(LockRequest request) {
        tell(listener -> listener.onLock(request));
    }

    @Override
    public void onConflict(Conflict conflict) {
        tell(listener -> listener.onConflict(conflict));
    }

    @Override
    public void onFailedAttempt(FailedAttempt attempt) {
        tell(listener -> listener.onFailedAttempt(attempt));
    }

    @Override
    public void onFinished(Finished finished) {
        tell(listener -> listener.onFinished(finished));
    }

    @Override
    public void onOuterEnded(OuterEnded ended) {
        tell(listener -> listener.onOuterEnded(ended));
    }

    @Override
    public void onCommitChecked(CommitChecked checked) {
        tell(listener -> listener.onCommitChecked(checked));
    }

    @Override
    public void onAfterCommitFailure(Throwable failure) {
        tell(listener -> listener.onAfterCommitFailure(failure));
    }
}
