package dev.rowlock.tree;

import dev.rowlock.Key;
import dev.rowlock.SqlStatement;
import dev.rowlock.Tx;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Locks on the nodes that a change depends on, so that changes in separate branches do not wait for each other.
 *
 * <ul>
 *   <li>Shared, all ancestors of the new parent: nobody moves or removes one of them, so the new parent's depth stands and no ring can
 *       close above it. Whoever adds or moves into a subtree shares its top, and so waits for one who moves that.
 *   <li>Alone, the node itself, and with it the height of its subtree.
 *   <li>The new parent is written, with the value it has. A transaction with an older snapshot, that does not see what was put under the
 *       parent, cannot lock it any more (40001): neither to remove it, nor because it is part of what it moves. For that, one
 *       that keeps its snapshot locks the whole subtree that it moves.
 *   <li>Shared, the old parent: who wants to remove it waits, instead of being told of a child that is just leaving.
 * </ul>
 *
 * <p>All in the order of the keys and in one round trip, with what is read again behind it. If there is more to lock then, because the
 * chain has changed before it was locked, that is locked too and all read again: {@value #MAX_ROUNDS} times, then the unit of work is
 * given up and run again like one that lost to another transaction. What is locked out of order in a further round can deadlock,
 * which the server detects.
 */
class LockSets implements LockProtocol {
    static final int MAX_ROUNDS = 5;

    /** How a node is locked, strongest last. */
    enum Hold {
        SHARE,
        ALONE,
        DELETE,
        WRITE
    }

    private final Shape shape;
    private final Rules rules;

    LockSets(Shape shape) {
        this.shape = shape;
        this.rules = new Rules(shape);
    }

    @Override
    public Place hold(Tx tx, Change change) {
        PlaceQuery query = PlaceQuery.of(shape, change, true);
        // That there is no root yet cannot be locked, so who makes one takes the tree.
        boolean whole = shape.singleRoot() && change.toRoot();
        Place place = query.read(tx, whole ? List.of(TreeLock.take(shape)) : List.of());
        Set<Key> held = new HashSet<>();
        for (int round = 1; round <= MAX_ROUNDS; round++) {
            rules.requireFewRows(
                    "a change of " + (change.node() == null ? "the tree" : change.node()),
                    place.below().size());
            Map<Key, Hold> missing = inOrder(place, wanted(change, place), held);
            if (missing.isEmpty()) {
                return place;
            }
            place = query.read(tx, locks(missing));
            held.addAll(missing.keySet());
        }
        throw new ChainChangedException(shape.nodes(), change, MAX_ROUNDS);
    }

    /** What must be locked and how, if the tree is as it was read. */
    Map<Key, Hold> wanted(Change change, Place place) {
        Map<Key, Hold> wanted = new LinkedHashMap<>();
        Node self = place.self();
        Key above = change.kind() == Change.Kind.LIFT && self != null ? self.parent() : change.parent();
        if (self != null && change.kind() == Change.Kind.MOVE && self.parent() != null) {
            wanted.put(self.parent(), Hold.SHARE);
        }
        for (Node node : place.below()) {
            wanted.merge(node.key(), ofBelow(change), LockSets::stronger);
        }
        if (change.kind() != Change.Kind.LIFT) {
            place.chain().forEach(node -> wanted.merge(node.key(), Hold.SHARE, LockSets::stronger));
        }
        if (self != null) {
            wanted.merge(self.key(), change.kind() == Change.Kind.MOVE ? Hold.ALONE : Hold.DELETE, LockSets::stronger);
        }
        if (above != null) {
            wanted.merge(above, Hold.WRITE, LockSets::stronger);
        }
        return wanted;
    }

    private static Hold ofBelow(Change change) {
        return switch (change.kind()) {
            case REMOVE_ALL -> Hold.DELETE;
            case LIFT -> Hold.ALONE;
            default -> Hold.SHARE;
        };
    }

    private static Hold stronger(Hold one, Hold other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /** Only rows that were read are there to be locked. */
    private static Map<Key, Hold> inOrder(Place place, Map<Key, Hold> wanted, Set<Key> held) {
        Map<Key, Hold> sorted = new LinkedHashMap<>();
        for (Key key : place.inOrder()) {
            Hold hold = wanted.get(key);
            if (hold != null && !held.contains(key)) {
                sorted.put(key, hold);
            }
        }
        return sorted;
    }

    /** One statement for each run of nodes that are locked alike. */
    private List<SqlStatement> locks(Map<Key, Hold> nodes) {
        List<SqlStatement> locks = new ArrayList<>();
        List<Key> run = new ArrayList<>();
        Hold hold = Hold.SHARE;
        for (Map.Entry<Key, Hold> node : nodes.entrySet()) {
            if (node.getValue() != hold && !run.isEmpty()) {
                locks.add(SqlStatement.of(lock(hold), Keys.array(run)));
                run.clear();
            }
            hold = node.getValue();
            run.add(node.getKey());
        }
        locks.add(SqlStatement.of(lock(hold), Keys.array(run)));
        return locks;
    }

    private String lock(Hold hold) {
        if (hold == Hold.WRITE) {
            return "UPDATE " + shape.table() + " AS x SET " + Shape.quote(shape.parentColumn()) + " = "
                    + shape.parent("x") + " WHERE " + shape.id("x") + " = ANY (?)";
        }
        String strength = switch (hold) {
            case SHARE -> "SHARE";
            case ALONE -> "NO KEY UPDATE";
            default -> "UPDATE";
        };
        return "SELECT 1 FROM " + shape.table() + " AS x WHERE " + shape.id("x") + " = ANY (?) ORDER BY "
                + shape.id("x") + " FOR " + strength;
    }
}
