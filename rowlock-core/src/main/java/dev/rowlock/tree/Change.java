package dev.rowlock.tree;

import dev.rowlock.Key;
import org.jspecify.annotations.Nullable;

/**
 * What is about to be done to the tree.
 *
 * @param node the node that is moved or removed, null where one is added
 * @param parent its new parent, null for a root and for a removal
 */
record Change(Kind kind, @Nullable Key node, @Nullable Key parent) {
    enum Kind {
        ADD,
        MOVE,
        REMOVE,
        REMOVE_ALL,
        LIFT
    }

    /** Whether it may make a root where there was none. */
    boolean toRoot() {
        return (kind == Kind.ADD || kind == Kind.MOVE) && parent == null;
    }

    Key nodeGiven() {
        return given(node);
    }

    static Key given(@Nullable Key key) {
        if (key == null) {
            throw new AssertionError("no key");
        }
        return key;
    }
}
