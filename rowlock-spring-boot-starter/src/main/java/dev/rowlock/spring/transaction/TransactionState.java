package dev.rowlock.spring.transaction;

import dev.rowlock.RowlockListener.CommitOutcome;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * What Spring does not tell of the transaction of this thread: whether its commit is behind it. Between that and the end of all
 * callbacks its connection is still bound, and what is written on it then is lost.
 */
final class TransactionState implements TransactionSynchronization {
    private static final Object KEY = new Object();

    private final List<Runnable> afterCommit = new ArrayList<>();
    /** How much work there was when each savepoint was set: what was done since is undone when it is rolled back to. */
    private final IdentityHashMap<Object, Integer> savepoints = new IdentityHashMap<>();

    private boolean ended;
    private @Nullable Consumer<CommitOutcome> atEnd;

    private TransactionState() {}

    /** That of the transaction of this thread, from now on at the latest. Needs synchronization to be active. */
    static TransactionState current() {
        if (TransactionSynchronizationManager.getResource(KEY) instanceof TransactionState known) {
            return known;
        }
        TransactionState state = new TransactionState();
        TransactionSynchronizationManager.bindResource(KEY, state);
        TransactionSynchronizationManager.registerSynchronization(state);
        return state;
    }

    boolean ended() {
        return ended;
    }

    void afterCommit(Runnable work) {
        afterCommit.add(work);
    }

    /** Only the first one: it was held for longest. */
    void atEnd(Consumer<CommitOutcome> work) {
        if (atEnd == null) {
            atEnd = work;
        }
    }

    /** Before every other callback: they may call units of work, which must not join a transaction that is over. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void suspend() {
        TransactionSynchronizationManager.unbindResourceIfPossible(KEY);
    }

    @Override
    public void resume() {
        TransactionSynchronizationManager.bindResource(KEY, this);
    }

    @Override
    public void savepoint(Object savepoint) {
        savepoints.put(savepoint, afterCommit.size());
    }

    @Override
    public void savepointRollback(Object savepoint) {
        @Nullable Integer before = savepoints.get(savepoint);
        if (before != null && before < afterCommit.size()) {
            afterCommit.subList(before, afterCommit.size()).clear();
        }
    }

    @Override
    public void afterCommit() {
        ended = true;
        List.copyOf(afterCommit).forEach(Runnable::run);
    }

    @Override
    public void afterCompletion(int status) {
        ended = true;
        TransactionSynchronizationManager.unbindResourceIfPossible(KEY);
        if (atEnd != null) {
            atEnd.accept(outcome(status));
        }
    }

    private static CommitOutcome outcome(int status) {
        return switch (status) {
            case STATUS_COMMITTED -> CommitOutcome.COMMITTED;
            case STATUS_ROLLED_BACK -> CommitOutcome.ROLLED_BACK;
            default -> CommitOutcome.UNKNOWN;
        };
    }
}
