package dev.rowlock;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down everything a listener hears, in order. */
public final class Events implements RowlockListener {
    private final List<Object> all = new CopyOnWriteArrayList<>();

    /** What was heard of this kind. */
    public <T> List<T> of(Class<T> kind) {
        return all.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** Everything that was heard. */
    public List<Object> all() {
        return all;
    }

    @Override
    public void onLock(LockRequest request) {
        all.add(request);
    }

    @Override
    public void onConflict(Conflict conflict) {
        all.add(conflict);
    }

    @Override
    public void onFailedAttempt(FailedAttempt attempt) {
        all.add(attempt);
    }

    @Override
    public void onFinished(Finished finished) {
        all.add(finished);
    }

    @Override
    public void onCommitChecked(CommitChecked checked) {
        all.add(checked);
    }

    @Override
    public void onAfterCommitFailure(Throwable failure) {
        all.add(failure);
    }
}
