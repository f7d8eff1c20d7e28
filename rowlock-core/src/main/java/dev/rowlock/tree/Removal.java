package dev.rowlock.tree;

import dev.rowlock.Key;
import dev.rowlock.Tx;
import java.util.ArrayList;
import java.util.List;

/** Removes a node that is held, and does with its children what was asked. */
final class Removal {
    private final Shape shape;
    private final Rules rules;
    private final Place place;

    Removal(Shape shape, Rules rules, Place place) {
        this.shape = shape;
        this.rules = rules;
        this.place = place;
    }

    int run(Tx tx, Change change) {
        Node self = rules.requireSelf(change, place);
        return switch (change.kind()) {
            case REMOVE -> {
                rules.requireNoChildren(change, place);
                yield delete(tx, List.of(self.key()));
            }
            case REMOVE_ALL -> {
                requireWhole(tx);
                rules.requireFewRows(
                        "removal of " + self.key() + " and what is below it",
                        place.below().size());
                List<Key> all = new ArrayList<>(List.of(self.key()));
                place.below().forEach(node -> all.add(node.key()));
                yield delete(tx, all);
            }
            case LIFT -> {
                lift(tx, self);
                yield delete(tx, List.of(self.key()));
            }
            default -> throw new AssertionError(change);
        };
    }

    /** What is deeper than the limit has not been read; it would be left behind as orphans. */
    private void requireWhole(Tx tx) {
        for (Node node : place.below()) {
            if (node.step() > shape.maxDepth()) {
                throw rules.tooDeep(tx, node.key());
            }
        }
    }

    private void lift(Tx tx, Node self) {
        rules.requireFewRows(
                "lifting of the children of " + self.key(), place.below().size());
        if (place.below().isEmpty()) {
            return;
        }
        rules.requireSound(tx, place.chain());
        Node above = place.chain().isEmpty() ? null : place.chain().get(0);
        rules.requireFewRoots(self, above, place.below().size());
        place.below().forEach(child -> rules.requireType(child.type(), above, child.key()));
        String version = shape.nodes().version();
        String raise = version == null ? "" : ", " + Shape.quote(version) + " = " + Shape.quote(version) + " + 1";
        int lifted = tx.execute(
                "UPDATE " + shape.table() + " AS x SET " + Shape.quote(shape.parentColumn()) + " = (SELECT "
                        + shape.parent("c") + " FROM " + shape.table() + " AS c WHERE " + shape.id("c") + " = ?)"
                        + raise
                        + " WHERE " + shape.parent("x") + " = ?",
                PlaceQuery.value(self.key()),
                PlaceQuery.value(self.key()));
        requireAll(lifted, place.below().size(), "lifted");
    }

    private int delete(Tx tx, List<Key> nodes) {
        int deleted = tx.execute(
                "DELETE FROM " + shape.table() + " AS x WHERE " + shape.id("x") + " = ANY (?)", Keys.array(nodes));
        requireAll(deleted, nodes.size(), "removed");
        return deleted;
    }

    private void requireAll(int done, int expected, String how) {
        if (done != expected) {
            throw new IllegalStateException(
                    done + " of " + expected + " nodes of " + shape.nodes() + " could be " + how
                            + "; is there a trigger, rule or row security policy, or somebody who changes the tree without Tree?");
        }
    }
}
