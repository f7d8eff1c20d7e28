package dev.rowlock.tree;

import dev.rowlock.Table;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the tree is and what it must look like.
 *
 * @param name of the row that stands for the whole tree
 * @param allowed the types each type may stand under; empty if any may stand anywhere
 * @param rootTypes the types that may be roots, where types are restricted
 * @param maxRows how many nodes one call may read, lock or remove
 */
record Shape(
        Table nodes,
        String parentColumn,
        @Nullable String typeColumn,
        String name,
        int maxDepth,
        boolean singleRoot,
        Map<String, Set<String>> allowed,
        Set<String> rootTypes,
        int maxRows) {

    boolean restrictsTypes() {
        return !allowed.isEmpty() || !rootTypes.isEmpty();
    }

    String table() {
        return nodes.schema() == null ? quote(nodes.name()) : quote(nodes.schema()) + "." + quote(nodes.name());
    }

    String id(String alias) {
        return alias + "." + quote(nodes.key().get(0));
    }

    String parent(String alias) {
        return alias + "." + quote(parentColumn);
    }

    /** The type as text, whatever it is; NULL where there are no types. */
    String type(String alias) {
        return typeColumn == null ? "NULL::text" : alias + "." + quote(typeColumn) + "::text";
    }

    static String quote(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
