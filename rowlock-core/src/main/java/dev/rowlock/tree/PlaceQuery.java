package dev.rowlock.tree;

import dev.rowlock.Key;
import dev.rowlock.SqlStatement;
import dev.rowlock.Tx;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * One statement that reads all that a change depends on: one snapshot, one round trip. Which parts there are depends on the change.
 * Its rows are sorted by key, as locks are taken.
 */
final class PlaceQuery {
    private final StringJoiner walks = new StringJoiner(",\n");
    private final StringJoiner parts = new StringJoiner("\nUNION ALL\n");
    private final List<Object> walkValues = new ArrayList<>();
    private final List<Object> partValues = new ArrayList<>();
    private final Shape shape;

    private PlaceQuery(Shape shape) {
        this.shape = shape;
    }

    /**
     * @param toLock whether what is only locked is asked for too: the parent that a node is moved away from, and what is below it if
     *     the transaction keeps its snapshot
     */
    static PlaceQuery of(Shape shape, Change change, boolean toLock) {
        PlaceQuery query = new PlaceQuery(shape);
        switch (change.kind()) {
            case ADD -> query.target(change);
            case MOVE -> {
                query.self(change.nodeGiven());
                query.target(change);
                query.height(change.nodeGiven());
                if (toLock) {
                    query.oldParent(change.nodeGiven());
                    query.below("AND current_setting('transaction_isolation') <> 'read committed'");
                }
            }
            case REMOVE -> {
                query.self(change.nodeGiven());
                query.countChildren(change.nodeGiven());
            }
            case REMOVE_ALL -> {
                query.self(change.nodeGiven());
                query.walk(Walks.down(shape, shape.maxDepth()), change.nodeGiven());
                query.below("");
            }
            case LIFT -> {
                query.self(change.nodeGiven());
                query.children(change.nodeGiven());
                query.chainOf(
                        "(SELECT " + shape.parent("c") + " FROM " + shape.table() + " AS c WHERE " + shape.id("c")
                                + " = ?)",
                        change.nodeGiven());
            }
        }
        return query;
    }

    private void walk(String sql, Key key) {
        walks.add(sql);
        walkValues.add(value(key));
    }

    private void self(Key node) {
        parts.add("SELECT 'self' AS part, " + columns("0") + " WHERE " + shape.id("x") + " = ?");
        partValues.add(value(node));
    }

    private void target(Change change) {
        if (change.parent() == null) {
            parts.add("(SELECT 'root' AS part, " + columns("0") + " WHERE " + shape.parent("x")
                    + " IS NULL ORDER BY k LIMIT 2)");
        } else {
            chainOf("?", change.parent());
        }
    }

    private void chainOf(String from, Key key) {
        walk(Walks.up(shape, from, shape.maxDepth()), key);
        parts.add("SELECT 'up' AS part, k, p, t, n FROM up");
    }

    private void height(Key node) {
        walk(Walks.down(shape, shape.maxDepth()), node);
        parts.add("SELECT 'height', NULL, NULL, NULL, max(n) FROM down HAVING count(*) > 0");
    }

    private void oldParent(Key node) {
        parts.add("SELECT 'old', " + columns("0") + " JOIN " + shape.table() + " AS c ON " + shape.parent("c") + " = "
                + shape.id("x") + " WHERE " + shape.id("c") + " = ?");
        partValues.add(value(node));
    }

    private void below(String onlyIf) {
        parts.add("(SELECT 'below', k, p, t, n FROM down WHERE n > 1 AND NOT again " + onlyIf + " ORDER BY n LIMIT "
                + (shape.maxRows() + 1) + ")");
    }

    private void children(Key node) {
        parts.add("(SELECT 'below', " + columns("2") + " WHERE " + shape.parent("x") + " = ? ORDER BY k LIMIT "
                + (shape.maxRows() + 1) + ")");
        partValues.add(value(node));
    }

    private void countChildren(Key node) {
        parts.add("SELECT 'children', NULL, NULL, NULL, count(*)::int FROM " + shape.table() + " AS x WHERE "
                + shape.parent("x") + " = ?");
        partValues.add(value(node));
    }

    private String columns(String step) {
        return shape.id("x") + " AS k, " + shape.parent("x") + " AS p, " + shape.type("x") + " AS t, " + step
                + " AS n FROM " + shape.table() + " AS x";
    }

    private String sql() {
        String level = "\nUNION ALL\nSELECT 'level', NULL, NULL, current_setting('transaction_isolation'), 0";
        return (walks.length() == 0 ? "" : "WITH RECURSIVE\n" + walks + "\n") + parts + level + "\nORDER BY k";
    }

    /** Sends it behind other statements, in the same round trip. */
    Place read(Tx tx, List<SqlStatement> before) {
        List<Object> values = new ArrayList<>(walkValues);
        values.addAll(partValues);
        List<SqlStatement> all = new ArrayList<>(before);
        all.add(SqlStatement.of(sql(), values.toArray()));
        return Place.of(tx.queryInOrder(shape.nodes(), all));
    }

    static Object value(Key key) {
        return key.values().get(0);
    }
}
