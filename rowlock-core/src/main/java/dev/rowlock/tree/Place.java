package dev.rowlock.tree;

import dev.rowlock.Key;
import dev.rowlock.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a change depends on, as it was read.
 *
 * @param self the node that is moved or removed, null if it is missing
 * @param chain from the new parent up to its root; empty if there is none or it is missing
 * @param roots up to two of the roots, where the change makes one
 * @param below what is below the node, as far as it was asked for
 * @param height how many levels the node and what is below it have
 * @param children how many children the node has, where it was asked for
 * @param level the isolation level of the transaction, as PostgreSQL spells it
 * @param inOrder all these nodes as the database sorts their keys; a node may come twice
 */
record Place(
        @Nullable Node self,
        List<Node> chain,
        List<Node> roots,
        List<Node> below,
        int height,
        int children,
        String level,
        List<Key> inOrder) {

    static Place of(List<Row> rows) {
        Node self = null;
        List<Node> chain = new ArrayList<>();
        List<Node> roots = new ArrayList<>();
        List<Node> below = new ArrayList<>();
        List<Key> inOrder = new ArrayList<>();
        int height = 0;
        int children = 0;
        String level = "";
        for (Row row : rows) {
            switch (row.getString("part")) {
                case "height" -> height = row.getInt("n");
                case "children" -> children = row.getInt("n");
                case "level" -> level = row.getString("t");
                default -> inOrder.add(Node.keyOf(row, "k"));
            }
            switch (row.getString("part")) {
                case "self" -> self = Node.of(row);
                case "up" -> chain.add(Node.of(row));
                case "root" -> roots.add(Node.of(row));
                case "below" -> below.add(Node.of(row));
                default -> {}
            }
        }
        chain.sort(Comparator.comparingInt(Node::step));
        below.sort(Comparator.comparingInt(Node::step));
        return new Place(self, chain, roots, below, height, children, level, inOrder);
    }
}
