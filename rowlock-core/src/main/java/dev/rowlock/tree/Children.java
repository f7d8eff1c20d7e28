package dev.rowlock.tree;

/** What becomes of the children of a node that is removed. */
public enum Children {
    /** A node that has children is not removed: {@link TreeRuleException} with {@link TreeRule#HAS_CHILDREN}. */
    REFUSE,
    /** They are removed too, and everything below them. */
    REMOVE,
    /** They, with everything below them, take the place of the node: under its parent, or as roots where it was one. */
    LIFT
}
