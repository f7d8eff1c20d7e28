package dev.rowlock.tree;

import dev.rowlock.Key;
import dev.rowlock.SqlStatement;
import dev.rowlock.Tx;
import java.util.List;
import java.util.Map;

/** The protocols with one thing left out each. */
final class BrokenProtocols {
    private BrokenProtocols() {}

    /** Looks, and changes. */
    static LockProtocol noLock(Shape shape) {
        return (tx, change) -> PlaceQuery.of(shape, change, false).read(tx, List.of());
    }

    /** Locks the tree's row and does not write it, so that an older snapshot is not found out. */
    static LockProtocol lockWithoutATrace(Shape shape) {
        return (tx, change) -> PlaceQuery.of(shape, change, false)
                .read(
                        tx,
                        List.of(SqlStatement.of(
                                "SELECT 1 FROM rowlock_trees WHERE name = ? FOR UPDATE", shape.name())));
    }

    /** Lock sets that do not know that there may be one root only, and so do not take the tree for it. */
    static LockProtocol setsOfSeveralRoots(Shape shape) {
        return new LockSets(new Shape(
                shape.nodes(),
                shape.parentColumn(),
                shape.typeColumn(),
                shape.name(),
                shape.maxDepth(),
                false,
                shape.allowed(),
                shape.rootTypes(),
                shape.maxRows()));
    }

    /** Locks the node and both its parents, as the repair of C20 does; others above are free to move. */
    static final class NoAncestors extends LockSets {
        NoAncestors(Shape shape) {
            super(shape);
        }

        @Override
        Map<Key, Hold> wanted(Change change, Place place) {
            Map<Key, Hold> wanted = super.wanted(change, place);
            place.chain().stream().skip(1).forEach(node -> wanted.remove(node.key()));
            return wanted;
        }
    }

    /** Shares the new parent like those above it: who has an older snapshot does not find out. */
    static final class NoTrace extends LockSets {
        NoTrace(Shape shape) {
            super(shape);
        }

        @Override
        Map<Key, Hold> wanted(Change change, Place place) {
            Map<Key, Hold> wanted = super.wanted(change, place);
            wanted.replaceAll((key, hold) -> hold == Hold.WRITE ? Hold.SHARE : hold);
            return wanted;
        }
    }

    /** Knows the height of what it moves from its snapshot alone. */
    static final class NoSubtree extends LockSets {
        NoSubtree(Shape shape) {
            super(shape);
        }

        @Override
        Map<Key, Hold> wanted(Change change, Place place) {
            Map<Key, Hold> wanted = super.wanted(change, place);
            if (change.kind() == Change.Kind.MOVE) {
                place.below().forEach(node -> wanted.remove(node.key()));
            }
            return wanted;
        }
    }

    /** Decides by what it read before it had its locks. */
    static final class NoSecondLook extends LockSets {
        private final Shape shape;

        NoSecondLook(Shape shape) {
            super(shape);
            this.shape = shape;
        }

        @Override
        public Place hold(Tx tx, Change change) {
            Place before = PlaceQuery.of(shape, change, true).read(tx, List.of());
            super.hold(tx, change);
            return before;
        }
    }
}
