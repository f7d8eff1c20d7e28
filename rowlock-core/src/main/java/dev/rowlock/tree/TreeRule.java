package dev.rowlock.tree;

/** The rules that a change of a tree can break. */
public enum TreeRule {
    /** No node is deeper than the limit; see {@link Tree.Builder#maxDepth}. */
    MAX_DEPTH,
    /** No node stands under itself or one of its descendants. */
    OWN_DESCENDANT,
    /** Each type of node stands only where it may; see {@link Tree.Builder#allow} and {@link Tree.Builder#allowRoots}. */
    TYPE,
    /** There is one root at most; see {@link Tree.Builder#singleRoot}. */
    SINGLE_ROOT,
    /** A node that is removed with {@link Children#REFUSE} has no children. */
    HAS_CHILDREN
}
