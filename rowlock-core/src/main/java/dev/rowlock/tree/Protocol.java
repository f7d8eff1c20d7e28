package dev.rowlock.tree;

/** How changes of a tree keep out of each other's way. All who change one tree must use the same. */
public enum Protocol {
    /**
     * One lock for each tree, the tree's row in {@code rowlock_trees} (see {@link dev.rowlock.RowlockSchema}), taken first: changes
     * of one tree go one after the other. Writes no row but that and the one that is changed.
     */
    TREE_LOCK,
    /**
     * Locks on the node, its old and its new parent, and all ancestors of the new parent: changes in separate branches go side by side.
     * One more round trip. An edit of an ancestor's row waits for them, and they for it. The new parent's row is written, without a
     * change and without a new version, so its triggers fire. At REPEATABLE READ and above the whole subtree that is moved is locked,
     * {@link Tree.Builder#maxRows} nodes at most. Several changes in one unit of work lock out of order and may deadlock, and are
     * run again. Proved for two changes at once, and for two adds and a
     * removal; three moves have more orders than can be run, and of those that were none went wrong.
     */
    LOCK_SETS
}
