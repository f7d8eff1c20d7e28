package dev.rowlock.tree;

import dev.rowlock.Key;
import dev.rowlock.Row;
import dev.rowlock.Tx;
import dev.rowlock.tree.TreeReport.Finding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Walks the whole tree in one statement, so that what others do meanwhile cannot make it look broken. The walk begins at roots and
 * orphans and comes to every row once at most, since a row has one parent: it needs no limit to end. What it does not come to is in a
 * ring or below one.
 */
final class TreeCheck {
    private static final int MOST = TreeReport.MOST_FINDINGS;

    private final Shape shape;

    private final List<Finding> findings = new ArrayList<>();
    private final List<Key> roots = new ArrayList<>();
    private final Map<Key, Node> lost = new LinkedHashMap<>();
    private final Map<Flaw, Integer> counts = new LinkedHashMap<>();
    /** The orphans, with the parents that are not there. */
    private final List<Node> orphans = new ArrayList<>();
    /** The rings, each node the child of the next. */
    private final List<List<Node>> rings = new ArrayList<>();

    private boolean complete = true;
    private long nodes;
    private int deepest;

    TreeCheck(Shape shape) {
        this.shape = shape;
    }

    TreeReport run(Tx tx) {
        List<Object> values = new ArrayList<>();
        for (Row row : tx.query(shape.nodes(), sql(values), values.toArray())) {
            take(row);
        }
        if (roots.size() > 1 && shape.singleRoot()) {
            findings.add(new Finding(
                    Flaw.SEVERAL_ROOTS,
                    roots,
                    "there are " + roots.size() + " roots or more, the tree has one: " + joined(roots, ", ")));
        }
        findRings();
        return new TreeReport(nodes, deepest, findings, complete);
    }

    List<Node> orphans() {
        return orphans;
    }

    List<List<Node>> rings() {
        return rings;
    }

    private String sql(List<Object> values) {
        String walk = """
                WITH RECURSIVE walk AS (
                  SELECT %1$s AS k, %2$s AS p, %3$s AS t, 1 AS n, NULL::text AS pt
                  FROM %4$s AS x
                  WHERE %2$s IS NULL
                     OR NOT EXISTS (SELECT FROM %4$s AS y WHERE %5$s = %2$s)
                  UNION ALL
                  SELECT %1$s, %2$s, %3$s, walk.n + 1, walk.t
                  FROM walk
                  JOIN %4$s AS x ON %2$s = walk.k
                )
                (SELECT 'ORPHAN' AS part, * FROM walk WHERE n = 1 AND p IS NOT NULL ORDER BY k LIMIT %6$d)
                UNION ALL
                (SELECT 'ROOT', * FROM walk WHERE n = 1 AND p IS NULL ORDER BY k LIMIT %6$d)
                UNION ALL
                (SELECT 'TOO_DEEP', * FROM walk WHERE n > %7$d ORDER BY n, k LIMIT %6$d)
                UNION ALL
                (SELECT 'LOST', %1$s AS k, %2$s, %3$s, 0, NULL FROM %4$s AS x
                 WHERE NOT EXISTS (SELECT FROM walk WHERE k = %1$s) ORDER BY k LIMIT %8$d)
                UNION ALL
                SELECT 'DEEPEST', NULL, NULL, NULL, coalesce(max(n), 0), NULL FROM walk
                UNION ALL
                SELECT 'NODES', NULL, NULL, count(*)::text, 0, NULL FROM %4$s
                """.formatted(
                        shape.id("x"),
                        shape.parent("x"),
                        shape.type("x"),
                        shape.table(),
                        shape.id("y"),
                        MOST + 1,
                        shape.maxDepth(),
                        shape.maxRows() + 1);
        if (!shape.restrictsTypes()) {
            return walk;
        }
        List<String> children = new ArrayList<>();
        List<String> parents = new ArrayList<>();
        shape.allowed()
                .forEach((child, allowed) -> allowed.forEach(parent -> {
                    children.add(child);
                    parents.add(parent);
                }));
        values.add(shape.rootTypes().toArray(new String[0]));
        values.add(children.toArray(new String[0]));
        values.add(parents.toArray(new String[0]));
        return walk + """
                UNION ALL
                (SELECT 'TYPE', walk.* FROM walk
                 WHERE (p IS NULL AND t = ANY (?)) IS NOT TRUE
                   AND NOT (n = 1 AND p IS NOT NULL)
                   AND NOT EXISTS (SELECT FROM unnest(?, ?) AS may (child, parent) WHERE n > 1 AND child = t AND parent = pt)
                 ORDER BY k LIMIT %d)
                """.formatted(MOST + 1);
    }

    private void take(Row row) {
        switch (row.getString("part")) {
            case "NODES" -> nodes = Long.parseLong(row.getString("t"));
            case "DEEPEST" -> deepest = row.getInt("n");
            case "ROOT" -> roots.add(Node.keyOf(row, "k"));
            case "LOST" -> {
                if (lost.size() == shape.maxRows()) {
                    complete = false;
                } else {
                    Node node = Node.of(row);
                    lost.put(node.key(), node);
                }
            }
            case "ORPHAN" -> {
                Node node = Node.of(row);
                if (add(Flaw.ORPHAN, node, "its parent " + node.parent() + " is not there")) {
                    orphans.add(node);
                }
            }
            case "TOO_DEEP" ->
                add(
                        Flaw.TOO_DEEP,
                        Node.of(row),
                        "it is at depth " + row.getInt("n") + ", the limit is " + shape.maxDepth());
            case "TYPE" -> add(Flaw.TYPE, Node.of(row), typeFlaw(row));
            default -> throw new AssertionError(row);
        }
    }

    private String typeFlaw(Row row) {
        String type = row.get("t", String.class);
        return row.isNull("p")
                ? "it is of type " + type + " and a root"
                : "it is of type " + type + " and stands under " + Node.keyOf(row, "p") + ", which is of type "
                        + row.get("pt", String.class);
    }

    private boolean add(Flaw flaw, Node node, String what) {
        if (counts.merge(flaw, 1, Integer::sum) > MOST) {
            complete = false;
            return false;
        }
        findings.add(
                new Finding(flaw, List.of(node.key()), "node " + node.key() + " of " + shape.nodes() + ": " + what));
        return true;
    }

    /** Goes up from each lost node; what it meets a second time on the same way is a ring. */
    private void findRings() {
        Set<Key> done = new LinkedHashSet<>();
        for (Node start : lost.values()) {
            List<Node> way = new ArrayList<>();
            Set<Key> on = new LinkedHashSet<>();
            Node at = start;
            while (at != null && done.add(at.key())) {
                way.add(at);
                on.add(at.key());
                at = parentOf(at);
            }
            if (at != null && on.contains(at.key())) {
                addRing(way.subList(way.indexOf(at), way.size()));
            }
        }
    }

    private @Nullable Node parentOf(Node node) {
        return node.parent() == null ? null : lost.get(node.parent());
    }

    private void addRing(List<Node> ring) {
        if (rings.size() == MOST) {
            complete = false;
            return;
        }
        rings.add(List.copyOf(ring));
        List<Key> keys = ring.stream().map(Node::key).toList();
        findings.add(new Finding(
                Flaw.CYCLE,
                keys,
                "nodes of " + shape.nodes() + " stand under each other in a ring, each under the next: "
                        + joined(keys, " > ") + " > " + keys.get(0)));
    }

    private static String joined(List<Key> keys, String by) {
        return keys.stream().map(Key::toString).collect(Collectors.joining(by));
    }
}
