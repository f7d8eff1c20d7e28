package dev.rowlock.tree;

import dev.rowlock.Key;
import dev.rowlock.MissingRowException;
import dev.rowlock.Table;

/** The node, or the parent that it was to be put under, is not there. HTTP: 404. */
public final class MissingNodeException extends MissingRowException {
    private final boolean parent;

    MissingNodeException(Table nodes, Key key, boolean parent) {
        super("there is no " + (parent ? "parent " : "node ") + key + " in " + nodes, nodes, key);
        this.parent = parent;
    }

    /** Whether it is the parent that is missing; else it is the node. {@link #key()} says which. */
    public boolean isParent() {
        return parent;
    }
}
