package dev.rowlock.watch.audit;

import java.util.ArrayList;
import java.util.List;

/** What was done in a transaction, or by a thread in statements that commit by themselves. */
final class Work {
    private final int most;
    private final List<Access> accesses = new ArrayList<>();
    /** Writes that matched nothing, and that nobody has looked after yet. */
    private final List<Access> missed = new ArrayList<>();

    private final HeldLocks held = new HeldLocks();
    private final Hold hold = new Hold();

    /**
     * Nothing done yet.
     *
     * @param most how many accesses are remembered; the oldest are forgotten
     */
    Work(int most) {
        this.most = most;
    }

    void add(Access access) {
        if (accesses.size() >= most) {
            accesses.remove(0);
        }
        accesses.add(access);
    }

    /** Those remembered, the oldest first. */
    List<Access> accesses() {
        return accesses;
    }

    List<Access> missed() {
        return missed;
    }

    HeldLocks held() {
        return held;
    }

    Hold hold() {
        return hold;
    }

    void forgetBefore(long startNanos) {
        accesses.removeIf(access -> access.sent().times().startNanos() < startNanos);
    }
}
