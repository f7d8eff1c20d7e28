package dev.rowlock.tree;

/** What can be wrong with rows that should be a tree. */
public enum Flaw {
    /** Nodes stand under each other in a ring. */
    CYCLE,
    /** The parent is not there. */
    ORPHAN,
    /** The node is deeper than the limit. */
    TOO_DEEP,
    /** The node's type may not stand where it stands. */
    TYPE,
    /** There are several roots in a tree that has one. */
    SEVERAL_ROOTS
}
