package dev.rowlock.tree;

import dev.rowlock.Key;
import dev.rowlock.Row;
import dev.rowlock.TooManyRowsException;
import dev.rowlock.Tx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Judges a change by what is true under the locks. */
final class Rules {
    /** How far up is looked for a ring once the limit of the depth is exceeded; no limit is greater. */
    static final int FURTHEST = 1_000;

    private final Shape shape;

    Rules(Shape shape) {
        this.shape = shape;
    }

    Node requireSelf(Change change, Place place) {
        Node self = place.self();
        if (self == null) {
            throw new MissingNodeException(shape.nodes(), change.nodeGiven(), false);
        }
        return self;
    }

    /** That a node, and {@code height - 1} levels below it, may go under the new parent. */
    void requireRoom(Tx tx, Change change, Place place, int height) {
        Key parent = change.parent();
        if (parent == null) {
            requireNoOtherRoot(change, place);
        } else if (place.chain().isEmpty()) {
            throw new MissingNodeException(shape.nodes(), parent, true);
        }
        requireNotBelowItself(change, place);
        requireSound(tx, place.chain());
        requireEnd(tx, change, place);
        int depth = place.chain().size() + height;
        if (depth > shape.maxDepth()) {
            throw new TreeRuleException(
                    name(change) + " would " + (height > 1 ? "reach down to" : "be at") + " depth " + depth + " of "
                            + shape.nodes() + ", the limit is " + shape.maxDepth() + under(parent),
                    TreeRule.MAX_DEPTH,
                    change.node(),
                    parent,
                    Integer.toString(shape.maxDepth()),
                    Integer.toString(depth));
        }
    }

    void requireNoOtherRoot(Change change, Place place) {
        if (!shape.singleRoot()) {
            return;
        }
        for (Node root : place.roots()) {
            if (!root.key().equals(change.node())) {
                throw new TreeRuleException(
                        name(change) + " would be a second root of " + shape.nodes() + ", beside " + root.key()
                                + "; the tree has one",
                        TreeRule.SINGLE_ROOT,
                        change.node(),
                        null,
                        "1",
                        "2");
            }
        }
    }

    /** That children may be lifted: those of a root become roots. */
    void requireFewRoots(Node self, @Nullable Node above, int lifted) {
        if (shape.singleRoot() && above == null && lifted > 1) {
            throw new TreeRuleException(
                    "the " + lifted + " children of root " + self.key() + " of " + shape.nodes()
                            + " would all be roots; the tree has one",
                    TreeRule.SINGLE_ROOT,
                    self.key(),
                    null,
                    "1",
                    Integer.toString(lifted));
        }
    }

    private void requireNotBelowItself(Change change, Place place) {
        for (int i = 0; i < place.chain().size(); i++) {
            if (place.chain().get(i).key().equals(change.node())) {
                List<String> path = new ArrayList<>();
                place.chain()
                        .subList(0, i + 1)
                        .forEach(node -> path.add(node.key().toString()));
                Collections.reverse(path);
                throw new TreeRuleException(
                        name(change) + " of " + shape.nodes() + " cannot stand under "
                                + (i == 0 ? "itself" : change.parent() + ", which is below it")
                                + " (" + String.join(" > ", path) + ")",
                        TreeRule.OWN_DESCENDANT,
                        change.node(),
                        change.parent(),
                        "no node of its own subtree",
                        String.join(" > ", path));
            }
        }
    }

    /** That a way up ends at a root, and within the limit. */
    void requireSound(Tx tx, List<Node> chain) {
        if (chain.isEmpty()) {
            return;
        }
        requireNoRing(chain);
        Node top = chain.get(chain.size() - 1);
        if (chain.size() > shape.maxDepth()) {
            throw tooDeep(tx, chain.get(0).key());
        }
        if (top.parent() != null) {
            throw new BrokenTreeException(
                    "node " + top.key() + " of " + shape.nodes() + " is an orphan: its parent " + top.parent()
                            + " is not there; see Tree.check",
                    Flaw.ORPHAN,
                    List.of(top.key()));
        }
    }

    /** A walk ends at the first node that comes again. */
    private void requireNoRing(List<Node> chain) {
        int last = chain.size() - 1;
        for (int first = 0; first < last; first++) {
            if (chain.get(first).key().equals(chain.get(last).key())) {
                throw ring(chain.subList(first, last));
            }
        }
    }

    /** The limit of the depth has ended a walk up. Further up there may be a ring, which then is what is wrong. */
    BrokenTreeException tooDeep(Tx tx, Key node) {
        List<Node> chain = walkUp(tx, node, FURTHEST);
        requireNoRing(chain);
        return new BrokenTreeException(
                "node " + node + " of " + shape.nodes() + " is at depth " + chain.size()
                        + (chain.size() > FURTHEST ? " or more" : "") + ", the limit is " + shape.maxDepth()
                        + "; see Tree.check",
                Flaw.TOO_DEEP,
                List.of(node));
    }

    private List<Node> walkUp(Tx tx, Key node, int limit) {
        String sql = "WITH RECURSIVE\n" + Walks.up(shape, "?", limit) + "\nSELECT k, p, t, n FROM up ORDER BY n";
        return tx.query(shape.nodes(), sql, PlaceQuery.value(node)).stream()
                .map(Node::of)
                .toList();
    }

    /** That the levels below a node could be counted. In a ring they have no end. */
    void requireEnd(Tx tx, Change change, Place place) {
        if (place.height() > shape.maxDepth()) {
            requireNoRing(walkUp(tx, change.nodeGiven(), FURTHEST));
        }
    }

    BrokenTreeException ring(List<Node> ring) {
        String path = ring.stream().map(node -> node.key().toString()).collect(Collectors.joining(" > "));
        return new BrokenTreeException(
                "nodes of " + shape.nodes() + " stand under each other in a ring, each under the next: " + path + " > "
                        + ring.get(0).key() + "; see Tree.check",
                Flaw.CYCLE,
                ring.stream().map(Node::key).toList());
    }

    void requireType(@Nullable String type, @Nullable Node parent, @Nullable Key node) {
        if (!shape.restrictsTypes()) {
            return;
        }
        Set<String> fitting =
                parent == null ? shape.rootTypes() : shape.allowed().getOrDefault(String.valueOf(type), Set.of());
        String found = parent == null ? type : parent.type();
        if (found != null && fitting.contains(found)) {
            return;
        }
        String limit = fitting.stream().sorted().collect(Collectors.joining(", "));
        throw new TreeRuleException(
                parent == null
                        ? "a node of type " + type + " cannot be a root of " + shape.nodes() + "; these can: " + limit
                        : "a node of type " + type + " cannot stand under " + parent.key() + " of " + shape.nodes()
                                + ", which is of type " + parent.type() + "; it can stand under: "
                                + (limit.isEmpty() ? "none" : limit),
                TreeRule.TYPE,
                node,
                parent == null ? null : parent.key(),
                limit,
                String.valueOf(found));
    }

    @Nullable
    String typeOf(Row row) {
        String column = shape.typeColumn();
        Object type = column == null ? null : row.get(column, Object.class);
        return type == null ? null : type.toString();
    }

    void requireNoChildren(Change change, Place place) {
        if (place.children() > 0) {
            throw new TreeRuleException(
                    "node " + change.node() + " of " + shape.nodes() + " has " + place.children()
                            + " children; remove or move them first, or say what becomes of them",
                    TreeRule.HAS_CHILDREN,
                    change.node(),
                    null,
                    "0",
                    Integer.toString(place.children()));
        }
    }

    void requireFewRows(String what, int found) {
        if (found > shape.maxRows()) {
            throw new TooManyRowsException(what + " of " + shape.nodes() + " is about more than " + shape.maxRows()
                    + " nodes; work in portions, or raise the limit (Tree.Builder.maxRows)");
        }
    }

    private static String name(Change change) {
        return change.node() == null ? "a new node" : "node " + change.node();
    }

    private static String under(@Nullable Key parent) {
        return parent == null ? "" : ", under " + parent;
    }
}
