package dev.rowlock.tree;

import dev.rowlock.Insert;
import dev.rowlock.Key;
import dev.rowlock.Row;
import dev.rowlock.Rowlock;
import dev.rowlock.Table;
import dev.rowlock.TooManyRowsException;
import dev.rowlock.Tx;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An adjacency list (a table whose rows name their parent) that stays a tree: no ring, no orphan, nothing deeper than the limit,
 * nothing where its type may not stand, whatever other transactions add, move and remove at the same time and at whatever isolation
 * level they or the caller run. Immutable and thread-safe: make one per tree and keep it.
 *
 * <pre>{@code
 * Tree tenants = Tree.over(rowlock, Table.of("tenant", "id").withVersion("version"))
 *     .typeColumn("type")
 *     .allowRoots("company").allow("region", "company").allow("shop", "region", "company")
 *     .maxDepth(8)
 *     .build();
 * Row berlin = tenants.add(1L, node -> node.set("name", "Berlin").set("type", "region"));
 * tenants.move(berlin.key(), 2L);
 * }</pre>
 *
 * <p>The table has one key column ({@code long}, {@code int}, UUID or text), a nullable column of the same type for the parent, and if
 * it shall have types, a column whose text they are. Put an index on the parent. A foreign key is welcome and not relied upon.
 *
 * <p><b>Promised only among those who change parents through a {@code Tree}</b> of the same table and {@linkplain Builder#protocol
 * protocol}, named the same way, with or without its schema. Whoever writes the parent or the type column otherwise, inserts or deletes nodes
 * otherwise, can break the tree; {@link #check} finds it.
 *
 * <p><b>Each method is a unit of work</b>, and joins the one that is open on the thread, see {@link Rowlock}. In a longer one, reshape
 * the tree <em>before</em> you lock rows: the tree's lock is held until the end, and whoever holds a row that others want while
 * it waits for the tree is a candidate for a deadlock (which is detected, and run again). At REPEATABLE READ and SERIALIZABLE
 * another's change since the transaction's snapshot makes it lose (40001) and be run again.
 *
 * <p>What all changes throw, besides what {@link Rowlock#call} does: {@link MissingNodeException} (404),
 * {@link TreeRuleException} (409), {@link dev.rowlock.LockTimeoutException} if another transaction holds the tree or a node for
 * longer than the lock timeout, {@link BrokenTreeException} if the rows are no tree where the change looks. After any of them
 * the unit of work can only roll back.
 */
public final class Tree {
    private final Rowlock rowlock;
    private final Shape shape;
    private final Rules rules;
    private final LockProtocol protocol;
    private final TreeReads reads;

    private Tree(Rowlock rowlock, Shape shape, LockProtocol protocol) {
        this.rowlock = rowlock;
        this.shape = shape;
        this.rules = new Rules(shape);
        this.protocol = protocol;
        this.reads = new TreeReads(shape, rules);
    }

    /**
     * Begins a tree over this table.
     *
     * @throws IllegalArgumentException if the table's key has several columns
     */
    public static Builder over(Rowlock rowlock, Table nodes) {
        return new Builder(rowlock, nodes);
    }

    /**
     * Adds a node. Two round trips and COMMIT.
     *
     * @param parent its parent's key, or null for a root
     * @param values sets its columns, all but the parent; must not apply
     * @return the row as stored, generated key and defaults included
     * @throws MissingNodeException if the parent is not there
     * @throws TreeRuleException if it would be too deep, a second root of a tree with one, or is of a type that may not stand there
     * @throws dev.rowlock.DatabaseException if the database refuses the row
     */
    public Row add(@Nullable Object parent, Consumer<Insert> values) {
        Change change = new Change(Change.Kind.ADD, null, keyOrNull(parent));
        return rowlock.call(tx -> {
            Place place = protocol.hold(tx, change);
            rules.requireRoom(tx, change, place, 1);
            Insert insert = tx.insert(shape.nodes()).set(shape.parentColumn(), valueOf(change.parent()));
            values.accept(insert);
            Row added = insert.apply();
            // Judged as stored: the type may be a default of the database's.
            rules.requireType(rules.typeOf(added), first(place.chain()), null);
            return added;
        });
    }

    /**
     * Moves a node, with all that is below it, under another parent. Raises its version, if the table has one, and no other
     * node's. Under its present parent it changes nothing. Two round trips and COMMIT; reads the whole subtree of the node.
     *
     * @param newParent the new parent's key, or null to make it a root
     * @return the row as it is then
     * @throws MissingNodeException if the node or the new parent is not there
     * @throws TreeRuleException if the new parent is the node or below it, if anything of what is moved would be too deep, if it
     *     would be a second root of a tree with one, or may not stand there
     */
    public Row move(Object node, @Nullable Object newParent) {
        Change change = new Change(Change.Kind.MOVE, keyOf(node), keyOrNull(newParent));
        return rowlock.call(tx -> move(tx, change));
    }

    private Row move(Tx tx, Change change) {
        Place place = protocol.hold(tx, change);
        Node self = rules.requireSelf(change, place);
        if (self.parent() == null ? change.parent() == null : self.parent().equals(change.parent())) {
            return tx.peek(shape.nodes(), self.key())
                    .orElseThrow(() -> new MissingNodeException(shape.nodes(), self.key(), false));
        }
        rules.requireRoom(tx, change, place, place.height());
        rules.requireType(self.type(), first(place.chain()), self.key());
        return put(tx, self.key(), change.parent());
    }

    private Row put(Tx tx, Key node, @Nullable Key parent) {
        return tx.update(shape.nodes(), node)
                .set(shape.parentColumn(), valueOf(parent))
                .apply()
                .orThrow();
    }

    /**
     * Removes a node without children.
     *
     * @throws MissingNodeException if it is not there
     * @throws TreeRuleException if it has children
     */
    public void remove(Object node) {
        int removed = remove(node, Children.REFUSE);
        if (removed != 1) {
            throw new AssertionError(removed);
        }
    }

    /**
     * Removes a node. Two round trips and COMMIT, one more with {@link Children#LIFT}.
     *
     * @return how many nodes are gone: 1 unless the children are removed too
     * @throws MissingNodeException if it is not there
     * @throws TreeRuleException if it has children and they were not to be touched, or if they may not stand where they would be lifted
     * @throws TooManyRowsException if more nodes are to be removed or lifted than {@link Builder#maxRows} allows
     */
    public int remove(Object node, Children children) {
        Change.Kind kind = switch (children) {
            case REFUSE -> Change.Kind.REMOVE;
            case REMOVE -> Change.Kind.REMOVE_ALL;
            case LIFT -> Change.Kind.LIFT;
        };
        Change change = new Change(kind, keyOf(node), null);
        return rowlock.call(tx -> new Removal(shape, rules, protocol.hold(tx, change)).run(tx, change));
    }

    /**
     * The nodes above this one: the root first, its parent last; none for a root. One round trip and COMMIT, without locks: may be out of date
     * when it returns.
     *
     * @throws MissingNodeException if the node is not there
     * @throws BrokenTreeException if the way up does not end at a root within the limit of the depth
     */
    public List<Row> ancestors(Object node) {
        return rowlock.call(tx -> reads.ancestors(tx, keyOf(node)));
    }

    /** The depth of a node: 1 for a root. Otherwise as {@link #ancestors}. */
    public int depth(Object node) {
        return ancestors(node).size() + 1;
    }

    /**
     * The nodes right below this one, or the roots, in key order. One round trip and COMMIT, without locks. A node that is not there has none.
     *
     * @param node null for the roots
     * @throws TooManyRowsException if there are more than {@link Builder#maxRows} allows
     */
    public List<Row> children(@Nullable Object node) {
        return rowlock.call(tx -> reads.children(tx, keyOrNull(node)));
    }

    /**
     * All nodes below this one, level by level, each in key order. One round trip and COMMIT, without locks.
     *
     * @throws MissingNodeException if the node is not there
     * @throws TooManyRowsException if there are more than {@link Builder#maxRows} allows
     * @throws BrokenTreeException if there is a ring, or more levels than the limit of the depth
     */
    public List<Row> descendants(Object node) {
        return rowlock.call(tx -> reads.descendants(tx, keyOf(node)));
    }

    /**
     * Looks at every row of the table, in one statement and without locks: rings, orphans, nodes that are too deep or of a type that may
     * not stand where they stand, and several roots where one is allowed. Takes time and memory of the server in proportion to the
     * table, within the statement timeout.
     */
    public TreeReport check() {
        return rowlock.call(tx -> new TreeCheck(shape).run(tx));
    }

    /** As {@link #repair(Object)}, with what is repaired becoming roots. */
    public TreeRepair repair() {
        return planned(null);
    }

    /**
     * Plans the repair of rings and orphans; changes nothing until {@link TreeRepair#apply}. Each ring is opened at the node whose key
     * comes first; that node, and each orphan, keeps what is below it.
     *
     * @param under the node to put them under
     */
    public TreeRepair repair(Object under) {
        return planned(keyOf(under));
    }

    private TreeRepair planned(@Nullable Key under) {
        return rowlock.call(tx -> {
            TreeCheck check = new TreeCheck(shape);
            TreeReport report = check.run(tx);
            List<TreeRepair.Step> steps = new ArrayList<>();
            for (List<Node> ring : check.rings()) {
                steps.add(TreeRepair.step(ring.get(0), under, "opens a ring of " + ring.size()));
            }
            for (Node orphan : check.orphans()) {
                steps.add(TreeRepair.step(orphan, under, "its parent " + orphan.parent() + " is not there"));
            }
            List<TreeReport.Finding> left = report.findings().stream()
                    .filter(finding -> finding.flaw() != Flaw.CYCLE && finding.flaw() != Flaw.ORPHAN)
                    .toList();
            return new TreeRepair(steps, left, this::apply);
        });
    }

    private void apply(List<TreeRepair.Step> steps) {
        rowlock.run(tx -> {
            for (TreeRepair.Step step : steps) {
                apply(tx, step);
            }
        });
    }

    /** First a root, whatever hangs below it; then it is a tree, and moved like any other. */
    private void apply(Tx tx, TreeRepair.Step step) {
        Change change = new Change(Change.Kind.MOVE, step.node(), null);
        Place place = protocol.hold(tx, change);
        Node self = rules.requireSelf(change, place);
        if (!step.from().equals(self.parent())) {
            throw new IllegalStateException("node " + step.node() + " of " + shape.nodes() + " stood under "
                    + step.from() + " when the repair was planned and now under " + self.parent() + "; plan anew");
        }
        Key to = step.to().orElse(null);
        if (to == null) {
            rules.requireNoOtherRoot(change, place);
            rules.requireType(self.type(), null, self.key());
        }
        put(tx, self.key(), null);
        if (to != null) {
            move(tx, new Change(Change.Kind.MOVE, step.node(), to));
        }
    }

    private static Key keyOf(@Nullable Object given) {
        Key key = given instanceof Key ready ? ready : Key.of(given);
        if (key.values().size() != 1) {
            throw new IllegalArgumentException("a node's key is one value, not " + key);
        }
        return key;
    }

    private static @Nullable Key keyOrNull(@Nullable Object given) {
        return given == null ? null : keyOf(given);
    }

    private static @Nullable Object valueOf(@Nullable Key key) {
        return key == null ? null : PlaceQuery.value(key);
    }

    private static @Nullable Node first(List<Node> nodes) {
        return nodes.isEmpty() ? null : nodes.get(0);
    }

    /** Collects what a tree must look like. Every default and limit is with its method. */
    public static final class Builder {
        private static final int MOST_ROWS = 100_000;

        private final Rowlock rowlock;
        private final Table nodes;
        private final Map<String, Set<String>> allowed = new LinkedHashMap<>();
        private final Set<String> rootTypes = new LinkedHashSet<>();
        private String parentColumn = "parent_id";
        private @Nullable String typeColumn;
        private int maxDepth = 32;
        private int maxRows = 10_000;
        private boolean singleRoot;
        private Function<Shape, LockProtocol> protocol = TreeLock::new;

        private Builder(Rowlock rowlock, Table nodes) {
            if (nodes.key().size() != 1) {
                throw new IllegalArgumentException(
                        "a tree needs a table with one key column, " + nodes + " has " + nodes.key());
            }
            this.rowlock = rowlock;
            this.nodes = nodes;
        }

        /** The column that holds the parent's key, NULL in a root: {@code parent_id} by default. */
        public Builder parentColumn(String column) {
            parentColumn = column;
            return this;
        }

        /** The column that holds the node's type, compared as text: none by default. */
        public Builder typeColumn(String column) {
            typeColumn = column;
            return this;
        }

        /**
         * Lets nodes of a type stand under nodes of these types. Called again for a type, it adds to them. Once this or
         * {@link #allowRoots} was called, nothing else may stand anywhere. By default everything may.
         */
        public Builder allow(String type, String... parentTypes) {
            allowed.computeIfAbsent(type, any -> new LinkedHashSet<>()).addAll(List.of(parentTypes));
            return this;
        }

        /** Lets nodes of these types be roots; see {@link #allow}. */
        public Builder allowRoots(String... types) {
            rootTypes.addAll(List.of(types));
            return this;
        }

        /** How deep a node may be, a root being at depth 1: 32 by default, from 1 to 1,000. */
        public Builder maxDepth(int limit) {
            maxDepth = limit;
            return this;
        }

        /** Allows one root, not several. By default there may be any number. */
        public Builder singleRoot() {
            singleRoot = true;
            return this;
        }

        /** How many nodes one call may return, lock or remove: 10,000 by default, at most 100,000. */
        public Builder maxRows(int limit) {
            maxRows = limit;
            return this;
        }

        /** How changes keep out of each other's way: {@link Protocol#TREE_LOCK} by default. */
        public Builder protocol(Protocol which) {
            return protocol(which == Protocol.TREE_LOCK ? TreeLock::new : LockSets::new);
        }

        /** With one of another make, for proofs that need a broken one. */
        Builder protocol(Function<Shape, LockProtocol> made) {
            protocol = made;
            return this;
        }

        /**
         * Makes the tree. Does not connect.
         *
         * @throws IllegalArgumentException if a limit is out of bounds, a name is none, or rules on types do not fit together
         */
        public Tree build() {
            if (maxDepth < 1 || maxDepth > Rules.FURTHEST) {
                throw new IllegalArgumentException(
                        "maxDepth is " + maxDepth + "; it must be from 1 to " + Rules.FURTHEST);
            }
            if (maxRows < 1 || maxRows > MOST_ROWS) {
                throw new IllegalArgumentException("maxRows is " + maxRows + "; it must be from 1 to " + MOST_ROWS);
            }
            requireColumns();
            requireTypes();
            Map<String, Set<String>> copy = new LinkedHashMap<>();
            allowed.forEach((type, parents) -> copy.put(type, Set.copyOf(parents)));
            Shape shape = new Shape(
                    nodes,
                    parentColumn,
                    typeColumn,
                    nodes.toString(),
                    maxDepth,
                    singleRoot,
                    Map.copyOf(copy),
                    Set.copyOf(rootTypes),
                    maxRows);
            return new Tree(rowlock, shape, protocol.apply(shape));
        }

        /** A table knows what a column may be called, that none comes twice, and that none is the version too. */
        private void requireColumns() {
            List<String> columns = new ArrayList<>(List.of(nodes.key().get(0), parentColumn));
            if (typeColumn != null) {
                columns.add(typeColumn);
            }
            Table checked = new Table(nodes.schema(), nodes.name(), columns, nodes.version());
            if (checked.key().size() != columns.size()) {
                throw new AssertionError(checked);
            }
        }

        private void requireTypes() {
            if (allowed.isEmpty() && rootTypes.isEmpty()) {
                return;
            }
            if (typeColumn == null) {
                throw new IllegalArgumentException("tree " + nodes + " has rules on types, but no typeColumn");
            }
            if (rootTypes.isEmpty()) {
                throw new IllegalArgumentException(
                        "tree " + nodes + " has rules on types, but none may be a root; call allowRoots");
            }
        }
    }
}
