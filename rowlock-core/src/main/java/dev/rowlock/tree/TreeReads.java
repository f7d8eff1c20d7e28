package dev.rowlock.tree;

import dev.rowlock.Key;
import dev.rowlock.Row;
import dev.rowlock.Tx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads parts of the tree, each in one statement and so from one snapshot. */
final class TreeReads {
    private final Shape shape;
    private final Rules rules;

    TreeReads(Shape shape, Rules rules) {
        this.shape = shape;
        this.rules = rules;
    }

    List<Row> ancestors(Tx tx, Key node) {
        List<Row> up = new ArrayList<>(tx.query(
                shape.nodes(),
                "WITH RECURSIVE\n" + Walks.up(shape, "?", shape.maxDepth()) + "\nSELECT x.* FROM up JOIN "
                        + shape.table() + " AS x ON " + shape.id("x") + " = up.k ORDER BY up.n",
                PlaceQuery.value(node)));
        if (up.isEmpty()) {
            throw new MissingNodeException(shape.nodes(), node, false);
        }
        rules.requireSound(tx, nodes(up));
        up.remove(0);
        Collections.reverse(up);
        return List.copyOf(up);
    }

    private List<Node> nodes(List<Row> rows) {
        List<Node> nodes = new ArrayList<>();
        for (Row row : rows) {
            nodes.add(new Node(row.key(), parentOf(row), rules.typeOf(row), nodes.size() + 1));
        }
        return nodes;
    }

    private @Nullable Key parentOf(Row row) {
        return Node.nullableKeyOf(row, shape.parentColumn());
    }

    List<Row> children(Tx tx, @Nullable Key node) {
        String where = shape.parent("x") + (node == null ? " IS NULL" : " = ?");
        String sql = "SELECT x.* FROM " + shape.table() + " AS x WHERE " + where + " ORDER BY " + shape.id("x")
                + " LIMIT " + (shape.maxRows() + 1);
        List<Row> rows =
                node == null ? tx.query(shape.nodes(), sql) : tx.query(shape.nodes(), sql, PlaceQuery.value(node));
        rules.requireFewRows("children of " + (node == null ? "no node" : node), rows.size());
        return rows;
    }

    List<Row> descendants(Tx tx, Key node) {
        List<Row> down = tx.query(
                shape.nodes(),
                "WITH RECURSIVE\n" + Walks.down(shape, shape.maxDepth()) + "\nSELECT x.* FROM down JOIN "
                        + shape.table() + " AS x ON " + shape.id("x") + " = down.k ORDER BY down.n, down.k LIMIT "
                        + (shape.maxRows() + 2),
                PlaceQuery.value(node));
        if (down.isEmpty()) {
            throw new MissingNodeException(shape.nodes(), node, false);
        }
        Map<Key, Integer> levels = new HashMap<>();
        for (Row row : down) {
            Key parent = parentOf(row);
            boolean first = levels.isEmpty();
            int level = first || parent == null ? 1 : levels.getOrDefault(parent, 0) + 1;
            if (levels.put(row.key(), level) != null || level > shape.maxDepth()) {
                throw rules.tooDeep(tx, row.key());
            }
        }
        rules.requireFewRows("what is below " + node, down.size() - 1);
        return List.copyOf(down.subList(1, down.size()));
    }
}
