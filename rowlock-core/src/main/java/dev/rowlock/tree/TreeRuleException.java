package dev.rowlock.tree;

import dev.rowlock.Key;
import dev.rowlock.RowlockException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tree does not allow the change; nothing is changed. The caller can tell the person why. HTTP: 409.
 *
 * <p>Judged under the locks, so it was true of a state of the tree that all changes before were part of.
 */
public final class TreeRuleException extends RowlockException {
    private final TreeRule rule;
    private final transient @Nullable Key node;
    private final transient @Nullable Key parent;
    private final String limit;
    private final String actual;

    TreeRuleException(
            String message, TreeRule rule, @Nullable Key node, @Nullable Key parent, String limit, String actual) {
        super(message, null);
        this.rule = rule;
        this.node = node;
        this.parent = parent;
        this.limit = limit;
        this.actual = actual;
    }

    /** The rule that would be broken. */
    public TreeRule rule() {
        return rule;
    }

    /** The node that was to be moved or removed; empty for one that was to be added. */
    public Optional<Key> node() {
        return Optional.ofNullable(node);
    }

    /** The parent that it was to be put under; empty for a root and a removal. */
    public Optional<Key> parent() {
        return Optional.ofNullable(parent);
    }

    /**
     * What the rule allows: for {@link TreeRule#MAX_DEPTH} the greatest depth, for {@link TreeRule#TYPE} the types that the node may
     * stand under, for the others a number of nodes.
     */
    public String limit() {
        return limit;
    }

    /** What it would have been, in the words of {@link #limit()}; for {@link TreeRule#OWN_DESCENDANT} the path down to the new parent. */
    public String actual() {
        return actual;
    }
}
