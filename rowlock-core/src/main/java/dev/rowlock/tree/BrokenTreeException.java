package dev.rowlock.tree;

import dev.rowlock.Key;
import dev.rowlock.RowlockException;
import java.util.List;

/**
 * The rows are no tree where they were looked at, so no rule can be judged: something has written parents without {@link Tree}.
 * Look at {@link Tree#check}, repair it. HTTP: 500.
 */
public final class BrokenTreeException extends RowlockException {
    private final Flaw flaw;
    private final transient List<Key> nodes;

    BrokenTreeException(String message, Flaw flaw, List<Key> nodes) {
        super(message, null);
        this.flaw = flaw;
        this.nodes = List.copyOf(nodes);
    }

    /** What is wrong: {@link Flaw#CYCLE}, {@link Flaw#ORPHAN} or {@link Flaw#TOO_DEEP}. */
    public Flaw flaw() {
        return flaw;
    }

    /** The nodes of the cycle, each one the child of the next; or the one node that is an orphan or too deep. */
    public List<Key> nodes() {
        return nodes;
    }
}
